/** The parts of a request that rules look at, exclusions leave out, and matches are found in. */
import { WAF_PARTS } from './areas/waf/vocabulary.ts';
import { maybe } from './maybe.ts';
import { type Static, Type } from './type.ts';

const WafPartText = Type.Enum(WAF_PARTS, {
  description:
    '`argument`: a value of the query, a form or a JSON body. `file`: the name of an uploaded file. `argument_names`, `header_names`, `cookie_names`: what they are called. `path`: without the query. `uri`: path and query as they came. `body`: as it came. `address`: of the client.',
});

/** Also of nested JSON: `json.user.name`. Nothing in it means anything to the engine. */
const WAF_NAME_PATTERN = '^[A-Za-z0-9_.\\[\\]-]{1,100}$';
const name = maybe(
  Type.String({ pattern: WAF_NAME_PATTERN }),
  'Which one, for `argument`, `header`, `cookie` and `file`: `q`, `User-Agent`. Null: each of them.',
);

export const WafParameter = Type.Object(
  { part: WafPartText, name },
  { additionalProperties: false, description: 'A part of a request.' },
);
export type WafParameter = Static<typeof WafParameter>;
