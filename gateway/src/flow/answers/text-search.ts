/** Looks for many texts in one, in time that grows with its length alone (Aho and Corasick, 1975): whoever chooses both sides cannot make it slow. */

type Node = {
  readonly next: Map<number, Node>;
  /** Where to go on when no way leads further: the longest end of what was read that begins another text. */
  fallback: Node | undefined;
  isEnd: boolean;
};

/** The function tells whether a text holds any of `wanted`, of which none is empty. */
export function createTextSearch(wanted: readonly string[]): (text: string) => boolean {
  const root = createNode();
  for (const each of wanted) enter(root, each);
  linkFallbacks(root);
  return (text) => {
    let at = root;
    for (let index = 0; index < text.length; index++) {
      at = step(at, text.charCodeAt(index)) ?? root;
      if (at.isEnd) return true;
    }
    return false;
  };
}

function createNode(): Node {
  return { next: new Map(), fallback: undefined, isEnd: false };
}

function enter(root: Node, text: string): void {
  let at = root;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const found = at.next.get(code) ?? createNode();
    at.next.set(code, found);
    at = found;
  }
  at.isEnd = true;
}

/** Level by level: a fallback is always nearer to the root. */
function linkFallbacks(root: Node): void {
  const open = [root];
  for (const node of open) {
    for (const [code, child] of node.next) {
      child.fallback = (node.fallback === undefined ? undefined : step(node.fallback, code)) ?? root;
      child.isEnd ||= child.fallback.isEnd;
      open.push(child);
    }
  }
}

function step(from: Node, code: number): Node | undefined {
  for (let at: Node | undefined = from; at !== undefined; at = at.fallback) {
    const found = at.next.get(code);
    if (found !== undefined) return found;
  }
  return undefined;
}
