/** What a caller says of a policy, on top of what it has. A list is replaced whole. */
import type { WafRules, WafRulesChange } from '@meshwork/contract';

export function mergedRules(old: WafRules, change: WafRulesChange): WafRules {
  return {
    mode: change.mode ?? old.mode,
    early_blocking: change.early_blocking ?? old.early_blocking,
    sampling_percent: change.sampling_percent ?? old.sampling_percent,
    inspect_responses: change.inspect_responses ?? old.inspect_responses,
    paranoia: { ...old.paranoia, ...change.paranoia },
    thresholds: { ...old.thresholds, ...change.thresholds },
    requests: { ...old.requests, ...change.requests },
    clients: { ...old.clients, ...change.clients },
    rules: change.rules ?? old.rules,
  };
}
