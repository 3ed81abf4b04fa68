import { ERROR_CODES, ERRORS } from '@meshwork/contract';
import { type Html, html, prose } from './html.ts';
import { table } from './table.ts';

/** Every code, at the anchor that the `type` of a problem document leads to. */
export function errorSection(): Html {
  return html`<section class="area" id="errors" aria-labelledby="errors-title">
<h2 id="errors-title"><a href="#errors">Errors</a></h2>
<p>Every way the API can say no. <i>Retry</i>: the same request may succeed later, with nothing changed.
<i>Audited</i>: a decision about access, which goes into the audit trail.</p>
${table({
  caption: 'Error codes',
  kind: 'errors',
  plain: true,
  head: ['Code', 'Status', 'Notes', 'Meaning', 'What to do'],
  rows: ERROR_CODES.map((code) => {
    const { status, title, advice, retryable, refusal } = ERRORS[code];
    return {
      id: `problem-${code}`,
      cells: [
        html`<a href="#problem-${code}"><code>${code}</code></a>`,
        html`<span class="status">${status}</span>`,
        html`${retryable ? html`<span class="mark">retry</span>` : undefined}${
          refusal ? html`<span class="mark">audited</span>` : undefined
        }`,
        `${title}.`,
        prose(advice),
      ],
    };
  }),
})}
</section>
`;
}
