import { STATUS_CODES } from 'node:http';
import {
  DEFAULT_BODY_LIMIT,
  ERROR_CODES,
  ERRORS,
  errorsOf,
  OPERATIONS,
  type Operation,
  type OperationId,
  takesIfMatch,
} from '@meshwork/contract';
import { curlOf, jsonHtml } from './example.ts';
import { type Field, fieldsOf, fieldTable, topFieldsOf } from './field-table.ts';
import { type Html, html, type Part, prose } from './html.ts';
import type { Schema } from './type-text.ts';

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** One operation: what it is and takes on the left, how it looks in use on the right. */
export function operationSection(id: OperationId): Html {
  const operation: Operation = OPERATIONS[id];
  return html`<section class="operation" id="${id}">
<div class="prose">
<h3><a href="#${id}">${operation.summary}</a></h3>
<p class="endpoint">${methodBadge(operation.method)} <code>${breakable(operation.path)}</code></p>
${operation.description === undefined ? undefined : html`<p>${prose(operation.description)}</p>`}
${facts(id, operation)}
${parameters(operation)}
${body(operation)}
${answerFields(operation)}
${errorList(operation)}
</div>
<div class="shown">
<figure><figcaption>Request</figcaption><pre><code>${curlOf(operation)}</code></pre></figure>
${answerExample(operation)}
</div>
</section>
`;
}

/** A path may break after a slash, so that a narrow page need not cut a word. */
function breakable(path: string): Part {
  return path.split('/').map((step, index) => (index === 0 ? step : html`/<wbr>${step}`));
}

function facts(id: OperationId, { permission, reach, body_limit, body: schema }: Operation): Html {
  const limit = body_limit ?? DEFAULT_BODY_LIMIT;
  return html`<dl class="facts">
<div><dt>Operation</dt><dd><code>${id}</code></dd></div>
<div><dt>Permission</dt><dd>${
    permission === null
      ? 'none; no token needed'
      : html`<a href="#permission-${permission}"><code>${permission}</code></a>`
  }</dd></div>
<div><dt>Reach</dt><dd>${reachText(permission !== null, reach)}</dd></div>
${schema === undefined ? undefined : html`<div><dt>Body</dt><dd>JSON, at most ${limit / 1024} KiB</dd></div>`}
</dl>`;
}

function reachText(hasScope: boolean, reach: Operation['reach']): Html {
  if (!hasScope) return html`says nothing about the mesh`;
  return reach === 'mesh'
    ? html`the whole mesh: needs <code>*</code> for team, surface and environment`
    : html`the scope of the token`;
}

function parameters(operation: Operation): Html | undefined {
  const inPath = fieldsOf((operation.params ?? {}) as Schema);
  const inQuery = fieldsOf((operation.query ?? {}) as Schema);
  const headers = headersOf(operation);
  if (inPath.length + inQuery.length + headers.length === 0) return undefined;
  return html`<h4>Parameters</h4>
${inPath.length === 0 ? undefined : fieldTable('request', inPath, { caption: 'In the path' })}
${inQuery.length === 0 ? undefined : fieldTable('request', inQuery, { caption: 'In the query' })}
${headers.length === 0 ? undefined : fieldTable('request', headers, { caption: 'In the headers' })}`;
}

function headersOf(operation: Operation): readonly Field[] {
  const header = (name: string, description: string): Field => ({
    name,
    within: '',
    depth: 0,
    required: false,
    schema: { type: 'string', description },
  });
  return [
    ...(takesIfMatch(operation)
      ? [header('If-Match', 'The `ETag` of the version you mean. Refused when another one is there.')]
      : []),
    ...(operation.method === 'POST'
      ? [header('Idempotency-Key', 'Your own text, new for each new request. A repeat within a day is done only once.')]
      : []),
  ];
}

function body(operation: Operation): Html | undefined {
  if (operation.body === undefined) return undefined;
  return html`<h4>Body</h4>
${fieldTable('request', topFieldsOf(operation.body as Schema), { caption: 'Fields of the body', plain: true })}`;
}

function answerFields({ answer, versioned }: Operation): Html {
  const fields = topFieldsOf((answer.schema ?? {}) as Schema);
  const headers = [...(versioned && answer.schema ? ['ETag'] : []), ...(answer.status === 201 ? ['Location'] : [])];
  return html`<h4>Answer</h4>
<p><b>${answer.status}</b> ${prose(answer.description)}${
    headers.length === 0
      ? undefined
      : html` With ${headers.map((name, i) => html`${i > 0 ? ' and ' : ''}<code>${name}</code>`)}.`
  }</p>
${(answer.also ?? []).map(({ type, description }) => html`<p>As <code>${type}</code>: ${prose(description)}</p>`)}
${answer.otherwise === undefined ? undefined : html`<p><b>${answer.otherwise.status}</b> ${prose(answer.otherwise.description)}</p>`}
${
  fields.length === 0
    ? undefined
    : html`<details><summary>${fields.length === 1 ? 'One field' : `All ${fields.length} fields`} of the answer</summary>
${fieldTable('answer', fields, { caption: 'Fields of the answer', plain: true })}</details>`
}`;
}

function errorList(operation: Operation): Html {
  const codes = ERROR_CODES.filter((code) => errorsOf(operation).includes(code));
  return html`<details><summary>The ${codes.length} errors it can end with</summary>
<ul class="codes">
${codes.map(
  (
    code,
  ) => html`<li><a href="#problem-${code}"><span class="status">${ERRORS[code].status}</span> <code>${code}</code></a></li>
`,
)}</ul></details>`;
}

function answerExample({ answer, example }: Operation): Html {
  const status = `${answer.status} ${STATUS_CODES[answer.status] ?? ''}`;
  if (answer.schema === undefined) return html`<figure><figcaption>Answer <b>${status}</b></figcaption></figure>`;
  const text = typeof example.answer === 'string' ? html`${example.answer}` : jsonHtml(example.answer);
  return html`<figure><figcaption>Answer <b>${status}</b></figcaption><pre><code>${text}</code></pre></figure>`;
}
