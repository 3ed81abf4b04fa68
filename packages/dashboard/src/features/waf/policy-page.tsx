import { Group } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { AuditSection } from '../../mesh/audit-section.tsx';
import { May } from '../../session/session.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { WafMode } from '../../ui/state.tsx';
import { Found } from './detail/found.tsx';
import { OwnRules } from './detail/own-rules.tsx';
import { PolicyFacts } from './detail/policy-facts.tsx';
import { WhereInForce } from './detail/where-in-force.tsx';
import { Exclusions } from './exclusions/exclusions.tsx';
import { PolicyActions } from './policy-actions.tsx';
import classes from './waf.module.css';
import { LOOK_EVERY_MS, MODE_HELP } from './waf-words.ts';

export default function PolicyPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('waf.show', { params: { id } }, { every_ms: LOOK_EVERY_MS });
  const policy = query.data?.body;
  const etag = query.data?.etag ?? undefined;
  return (
    <Page
      title={policy?.name ?? 'WAF policy'}
      back={{ to: '/waf', label: 'WAF' }}
      subtitle={
        policy !== undefined && (
          <Group gap="xs" mt={4}>
            <WafMode mode={policy.mode} />
            <span>{MODE_HELP[policy.mode]}</span>
          </Group>
        )
      }
      actions={policy !== undefined && <PolicyActions policy={policy} etag={etag} />}
    >
      <Loaded query={query}>
        {(shown) => (
          <div className={classes.columns}>
            <div className={classes.column}>
              <Found policy={shown} />
              <Exclusions policy={shown} etag={etag} />
              <OwnRules policy={shown} />
              <May permission="audit:read">
                <AuditSection target={shown.id} />
              </May>
            </div>
            <div className={classes.column}>
              <WhereInForce policy={shown} />
              <PolicyFacts policy={shown} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
