/** What no schema can say of a policy: values that mean something and fit each other. */
import { type FieldError, MAX_WAF_POLICY_CHARACTERS, MeshError, type WafRules } from '@meshwork/contract';
import type { WafDocument } from '../../kinds/waf.ts';
import { faultsOfNetworks } from '../../mesh/sound-networks.ts';
import { faultsOfRules } from './sound-rules.ts';

/** Every fault is named at once. Exclusions were looked at when they were added. */
export function ensureSoundPolicy(policy: WafDocument): void {
  refuse([
    ...faultsOfLevels(policy),
    ...faultsOfRequests(policy),
    ...faultsOfClients(policy.clients),
    ...faultsOfRules(policy.rules),
    ...faultsOfSize(policy),
  ]);
}

export function refuse(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const detail = errors.map(({ pointer, detail: text }) => `${pointer} ${text}`).join('; ');
  throw new MeshError('invalid', `${detail}.`, { errors: [...errors] });
}

function faultsOfLevels({ paranoia: { block, detect } }: WafRules): FieldError[] {
  if (detect >= block) return [];
  return [
    { pointer: '/paranoia/detect', detail: `must be ${block} at least, as \`block\` is: what blocks is evaluated` },
  ];
}

function faultsOfRequests({ requests: { body_bytes, file_bytes } }: WafRules): FieldError[] {
  if (file_bytes === null || file_bytes <= body_bytes) return [];
  return [{ pointer: '/requests/file_bytes', detail: `must be ${body_bytes} at most, which is the largest body` }];
}

function faultsOfClients({ trusted, denied, allowed_countries, denied_countries }: WafRules['clients']): FieldError[] {
  return [
    ...faultsOfNetworks('/clients/trusted', trusted),
    ...faultsOfNetworks('/clients/denied', denied),
    ...inBoth('/clients/denied', denied, { trusted }),
    ...inBoth('/clients/denied_countries', denied_countries, { allowed_countries }),
  ];
}

function inBoth(
  at: string,
  values: readonly string[],
  other: Readonly<Record<string, readonly string[]>>,
): FieldError[] {
  const [[name, others] = ['', []]] = Object.entries(other);
  return values.flatMap((value, index) =>
    others.includes(value)
      ? [{ pointer: `${at}/${index}`, detail: `"${value}" is in ${name} too; name it in one of them` }]
      : [],
  );
}

/** All of it is sent to gateways, and is in the audit trail with every change. */
function faultsOfSize({ rules, exclusions }: WafDocument): FieldError[] {
  const characters = JSON.stringify([rules, exclusions]).length;
  if (characters <= MAX_WAF_POLICY_CHARACTERS) return [];
  const detail = `has ${characters} characters with the exclusions, and ${MAX_WAF_POLICY_CHARACTERS} may be there`;
  return [{ pointer: '/rules', detail }];
}
