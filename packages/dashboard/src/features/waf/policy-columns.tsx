import type { WafPolicy } from '@meshwork/contract';
import { useRead } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { plural } from '../../ui/plural.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { WafMode } from '../../ui/state.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import classes from './waf.module.css';
import { inForceWords, LOOK_EVERY_MS, usersOf } from './waf-words.ts';

export const POLICY_COLUMNS: readonly Column<WafPolicy>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 1.4fr)',
    render: ({ id, name, note }) => (
      <>
        <AnchorLink to="/waf/$id" params={{ id }} fw={500}>
          {name}
        </AnchorLink>
        {note !== null && <span className={classes.below}>{note}</span>}
      </>
    ),
  },
  { id: 'mode', header: 'Mode', width: '6rem', render: ({ mode }) => <WafMode mode={mode} /> },
  {
    id: 'strictness',
    header: 'Paranoia and threshold',
    width: '10.5rem',
    priority: 3,
    render: ({ paranoia, thresholds }) => (
      <>
        {paranoia.block === paranoia.detect
          ? `Level ${paranoia.block}`
          : `Level ${paranoia.block}, recorded to ${paranoia.detect}`}
        <span className={classes.below}>Threshold {thresholds.inbound}</span>
      </>
    ),
  },
  {
    id: 'used',
    header: 'Used by',
    width: 'minmax(0, 1.2fr)',
    priority: 2,
    render: (policy) => (
      <>
        {usersOf(policy).join(', ') || 'No ingress'}
        {policy.gateways.length > 0 && (
          <span className={classes.below}>In force on {inForceWords(policy).toLowerCase()}</span>
        )}
      </>
    ),
  },
  {
    id: 'drafts',
    header: 'Exclusions',
    width: '7rem',
    priority: 3,
    render: ({ exclusions }) => {
      const drafts = exclusions.filter(({ draft }) => draft).length;
      return (
        <>
          {exclusions.length - drafts} in force
          {drafts > 0 && <span className={classes.below}>{plural(drafts, 'draft')}</span>}
        </>
      );
    },
  },
  { id: 'found', header: 'Last 24 hours', width: '7.5rem', render: ({ id }) => <LastDay policy={id} /> },
];

function LastDay({ policy }: { readonly policy: string }) {
  const { data } = useRead('waf.summary', { query: { policy } }, { every_ms: LOOK_EVERY_MS });
  if (data === undefined) return null;
  const { blocked, detected, steps } = data.body;
  const words = `${blocked.toLocaleString()} blocked, ${detected.toLocaleString()} detected`;
  return (
    <>
      <Sparkline
        label={`${words} in the last 24 hours`}
        tones={['bad', 'watch']}
        steps={steps.map((step) => ({ at: step.at, counts: [step.blocked, step.detected] }))}
      />
      <span className={classes.below}>{words}</span>
    </>
  );
}
