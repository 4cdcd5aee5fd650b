/** The rule that a refusal names when a response contains a submitted secret. It belongs to the content filter's rules, but cannot be disabled. */

export const secretEchoRule = 'secret-echo';
