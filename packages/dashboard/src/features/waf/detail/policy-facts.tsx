import type { WafPolicy } from '@meshwork/contract';
import { ScopeText } from '../../../mesh/scope-text.tsx';
import { Actor } from '../../../ui/actor.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import { policyLines } from '../policy-lines.ts';

/** What the policy does, in words. */
export function PolicyFacts({ policy }: { readonly policy: WafPolicy }) {
  const { id, note, scope, created_at, created_by } = policy;
  return (
    <Section title="What it does">
      <Facts
        items={[
          ...(note === null ? [] : [{ label: 'Note', value: note }]),
          ...policyLines(policy).map(({ label, text, help }) => ({
            label,
            value: text,
            ...(help === undefined ? {} : { help }),
          })),
          { label: 'Scope', value: <ScopeText scope={scope} /> },
          {
            label: 'Created',
            value: (
              <>
                <Moment at={created_at} /> by <Actor actor={created_by} />
              </>
            ),
          },
          { label: 'ID', value: <Copyable value={id} /> },
        ]}
      />
    </Section>
  );
}
