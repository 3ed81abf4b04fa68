import { type Html, html, type Part } from './html.ts';

export interface Row {
  readonly id?: string;
  /** How deep it lies inside the rows above it. */
  readonly depth?: number;
  readonly cells: readonly Part[];
}

/**
 * A table that a narrow page shows as blocks. The roles are said aloud because a browser may forget them when the
 * style sheet gives the parts of a table another `display`.
 */
export function table(options: {
  readonly caption: string;
  readonly kind: 'fields' | 'errors' | 'roles' | 'permissions';
  /** Whether the heading before it says enough, so that only a screen reader needs the caption. */
  readonly plain?: boolean;
  readonly head: readonly Part[];
  readonly rows: readonly Row[];
}): Html {
  return html`<table role="table" class="${options.kind}">
<caption${options.plain === true ? html` class="unseen"` : undefined}>${options.caption}</caption>
<thead role="rowgroup"><tr role="row">${options.head.map((cell) => html`<th role="columnheader" scope="col">${cell}</th>`)}</tr></thead>
<tbody role="rowgroup">
${options.rows.map(tableRow)}</tbody>
</table>
`;
}

function tableRow({ id, depth = 0, cells: [first, ...others] }: Row): Html {
  const anchor = id === undefined ? undefined : html` id="${id}"`;
  const indent = depth === 0 ? undefined : html` class="depth-${Math.min(depth, 3)}"`;
  return html`<tr role="row"${anchor}${indent}><th role="rowheader" scope="row">${first}</th>${others.map(
    (cell) => html`<td role="cell">${cell}</td>`,
  )}</tr>
`;
}
