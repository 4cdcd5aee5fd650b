/** The rule by which a refusal names a secret that came back: beside those of the content filter, and not to be disabled. */

export const secretEchoRule = 'secret-echo';
