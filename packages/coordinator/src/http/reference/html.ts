/** Markup that is safe to send as it is. Only `html` makes it, and `html` escapes whatever else it is given. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | undefined | readonly Part[];

/** Text between the tags is taken as it stands in the source; what is filled in is escaped unless it is `Html`. */
export function html(source: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: source }, ...parts.map(render)));
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Good for text and for attribute values in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Sentences of the contract: Markdown of which only `code` is ever used there. */
export function prose(text: string | undefined): Html {
  const pieces = (text ?? '').split('`');
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
}
