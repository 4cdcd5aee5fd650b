/** Loads the Latin font: when the browser is idle, so that it does not delay the first view, or at once when it is cached. Other scripts use the system font. */

export const fontFile = new URL('../fonts/inter-latin.woff2', import.meta.url).href;
const key = 'flowgate.font';
const latin =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215';

/** Safari has no `requestIdleCallback`. */
const laterMs = 500;

export function loadFont(): void {
  if (localStorage.getItem(key) === fontFile) addFont();
  else if ('requestIdleCallback' in window) requestIdleCallback(addFont);
  else setTimeout(addFont, laterMs);
}

function addFont(): void {
  const font = new FontFace('Inter', `url("${fontFile}")`, { weight: '100 900', unicodeRange: latin });
  font.load().then(
    () => {
      document.fonts.add(font);
      localStorage.setItem(key, fontFile);
    },
    // The system font remains.
    () => localStorage.removeItem(key),
  );
}
