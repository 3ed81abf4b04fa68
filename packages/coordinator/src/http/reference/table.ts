import { type Html, html, type Part } from './html.ts';

export interface Row {
  readonly id?: string;
  readonly cells: readonly Part[];
}

/**
 * A table that a narrow page shows as blocks. The roles are said aloud because a browser may forget them when the
 * style sheet gives the parts of a table another `display`.
 */
export function table(options: {
  readonly caption: string;
  readonly kind: 'fields' | 'errors' | 'roles' | 'permissions';
  readonly head: readonly Part[];
  readonly rows: readonly Row[];
}): Html {
  return html`<table role="table" class="${options.kind}">
<caption>${options.caption}</caption>
<thead role="rowgroup"><tr role="row">${options.head.map((cell) => html`<th role="columnheader" scope="col">${cell}</th>`)}</tr></thead>
<tbody role="rowgroup">
${options.rows.map(tableRow)}</tbody>
</table>
`;
}

function tableRow({ id, cells: [first, ...others] }: Row): Html {
  const anchor = id === undefined ? undefined : html` id="${id}"`;
  return html`<tr role="row"${anchor}><th role="rowheader" scope="row">${first}</th>${others.map(
    (cell) => html`<td role="cell">${cell}</td>`,
  )}</tr>
`;
}
