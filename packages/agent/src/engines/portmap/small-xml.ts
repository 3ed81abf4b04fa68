/**
 * Reads the XML that routers send: elements and text. What a router has no need of is refused: document types and entities of its
 * own, CDATA, and anything of unusual size or depth. Attributes and prefixes of names are left out.
 */
export interface Element {
  readonly name: string;
  readonly children: readonly Element[];
  /** Of an element without children; otherwise empty. */
  readonly text: string;
}

/** Ours: the longest description of a router that is known has some 300 elements, ten deep. */
const [MAX_ELEMENTS, MAX_DEPTH] = [5000, 32];
const TOKEN = /<\?[^<>]*\?>|<!--(?:(?!-->)[\s\S])*-->|<(\/?)(?:[\w.-]+:)?([\w.-]+)([^<>]*)>|[^<]+/y;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

interface Open {
  readonly name: string;
  readonly children: Element[];
  text: string;
}

/** Throws when it is not such a text. */
export function readXml(text: string): Element {
  const root: Open = { name: '', children: [], text: '' };
  const open = [root];
  let count = 0;
  const close = (): void => {
    const { name, children, text: inside } = open.pop() as Open;
    open.at(-1)?.children.push({ name, children, text: children.length === 0 ? unescaped(inside.trim()) : '' });
  };
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const token = TOKEN.exec(text);
    if (token === null) throw new Error('it answers with XML that cannot be read');
    const [whole, end, name, rest = ''] = token;
    if (name === undefined) {
      if (!whole.startsWith('<')) (open.at(-1) as Open).text += whole;
    } else if (end === '/') {
      if (open.length < 2 || open.at(-1)?.name !== name) throw new Error('it answers with XML that is not well-formed');
      close();
    } else {
      count += 1;
      open.push({ name, children: [], text: '' });
      if (count > MAX_ELEMENTS || open.length > MAX_DEPTH) throw new Error('it answers with too much XML');
      if (rest.endsWith('/')) close();
    }
  }
  const [document] = root.children;
  if (open.length !== 1 || document === undefined || root.children.length > 1)
    throw new Error('it answers with XML that is not well-formed');
  return document;
}

/** All elements of this name, at whatever depth. */
export function elementsIn(element: Element, name: string): readonly Element[] {
  return [...(element.name === name ? [element] : []), ...element.children.flatMap((child) => elementsIn(child, name))];
}

/** The text of the first one. Undefined: there is none. */
export function textIn(element: Element, name: string): string | undefined {
  return elementsIn(element, name)[0]?.text;
}

export function escaped(text: string): string {
  return text.replaceAll(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function unescaped(text: string): string {
  return text.replaceAll(/&([^;&]*);?/g, (whole, name: string) => {
    const known = ENTITIES[name];
    if (known !== undefined && whole.endsWith(';')) return known;
    throw new Error('it answers with XML that has entities of its own');
  });
}
