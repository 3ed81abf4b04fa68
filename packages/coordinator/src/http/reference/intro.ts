import { exampleProblem, OPERATIONS } from '@meshwork/contract';
import { jsonHtml } from './example.ts';
import { type Html, html } from './html.ts';

const FIRST_REQUEST = `export MESH_URL=http://127.0.0.1:7400
export MESH_TOKEN="$(cat data/bootstrap-token)"

curl "$MESH_URL/v1/auth/whoami" \\
  -H "Authorization: Bearer $MESH_TOKEN"`;

/** The top of the page: how to get in, and what holds for every operation below. */
export function intro(): Html {
  return html`<section class="intro" id="start" aria-labelledby="start-title">
<h1 id="start-title">Meshwork API</h1>
<p class="lead">Everything that can be done with the mesh can be done here. This page is for people; programs read the
same as OpenAPI 3.1 from <a href="/v1/openapi.json"><code>/v1/openapi.json</code></a>.</p>
<div class="lesson">
<div class="prose">
<h2 id="first-request">The first request</h2>
<p>Send a token with every request, as <code>Authorization: Bearer</code>. On its very first start the coordinator
writes one into <code>bootstrap-token</code> in its data directory: it is an owner’s, and good for a day.
Use it to <a href="#tokens.create">create tokens</a> for what you are about to do, each with a role of its own.</p>
<p>A token has a <b>role</b>, which says <a href="#permissions">what it may do</a>, and a <b>scope</b> of team, surface
and environment, which says where. What lies outside its scope is simply not found.</p>
</div>
<div class="shown">
<figure><figcaption>Request</figcaption><pre><code>${FIRST_REQUEST}</code></pre></figure>
<figure><figcaption>Answer <b>200 OK</b></figcaption><pre><code>${jsonHtml(OPERATIONS['self.whoami'].example.answer)}</code></pre></figure>
</div>
<div class="prose">
<h2 id="conventions">What holds everywhere</h2>
<dl class="rules">
<div><dt>Bodies</dt><dd>JSON with <code>snake_case</code> names. A field that is not known is refused. Moments are
ISO 8601; answers give them in UTC, ending in <code>Z</code>.</dd></div>
<div><dt>Lists</dt><dd>Come in pages of <code>limit</code> items. Give <code>next_cursor</code> as <code>cursor</code>
until it is <code>null</code>; what others add or remove meanwhile breaks nothing.</dd></div>
<div><dt>Lost updates</dt><dd>An <code>ETag</code> names the version you read. Send it as <code>If-Match</code>, and your
write is refused if that version has changed since.</dd></div>
<div><dt>Retries</dt><dd>An <code>Idempotency-Key</code> makes any POST safe to repeat. An error says by
<code>retryable</code> whether trying again can help, and by <code>Retry-After</code> when.</dd></div>
<div><dt>Errors</dt><dd>Problem documents (RFC 9457). Decide by <a href="#errors"><code>code</code></a>, never by the
text. Every answer has an <code>X-Request-Id</code>, which the log and the audit trail know too.</dd></div>
<div><dt>Change</dt><dd>Within <code>/v1</code> things are only added. Ignore fields you do not know.</dd></div>
</dl>
</div>
<div class="shown">
<figure><figcaption>A problem <b>422 Unprocessable Entity</b></figcaption><pre><code>${jsonHtml(exampleProblem('invalid'))}</code></pre></figure>
</div>
</div>
</section>
`;
}
