/** `transactionHash` → `Transaction hash`. */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
