/** Color scheme: the system's preference, unless the user has chosen one. */

export type SchemeChoice = 'system' | 'light' | 'dark';

const key = 'flowgate.scheme';

export function storedScheme(): SchemeChoice {
  const stored = localStorage.getItem(key);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function applyScheme(choice: SchemeChoice): void {
  if (choice === 'system') {
    localStorage.removeItem(key);
    delete document.documentElement.dataset['scheme'];
  } else {
    localStorage.setItem(key, choice);
    document.documentElement.dataset['scheme'] = choice;
  }
}
