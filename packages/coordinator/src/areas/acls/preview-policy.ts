import { MAX_TOUCHED, type NodeId, type Preview } from '@meshwork/contract';
import { Engine, preview } from '@meshwork/policy';
import type { Fleet } from '../../fleet/fleet.ts';
import type { View } from '../../mesh/model.ts';
import { readText } from './read-text.ts';
import { failedTests, tryPolicy } from './try-policy.ts';

/** What a policy would open and close, compared with the one in effect. */
export function previewPolicy(view: View, fleet: Fleet, text: string, now_ms: number): Preview {
  const trial = tryPolicy(view, fleet, readText(text), now_ms);
  const { opens, closes, touched } = preview(fleet.policy.engine, Engine.compile(trial));
  const nodes = touched
    .map((id) => ({ id, name: view.get('node', id as NodeId)?.body.name ?? id }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    opened: opens.map((flow) => ({ ...flow })),
    closed: closes.map((flow) => ({ ...flow })),
    nodes_touched: nodes.length,
    nodes: nodes.slice(0, MAX_TOUCHED),
    failed_tests: failedTests(view, fleet, trial),
  };
}
