import { Alert, Text } from '@mantine/core';
import type { WafPolicy } from '@meshwork/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { NodeLink } from '../../../mesh/node-link.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Section } from '../../../ui/section.tsx';
import { WafInForce } from '../../../ui/state.tsx';
import classes from '../waf.module.css';
import { inForceWords, isOutdated } from '../waf-words.ts';

/** Each gateway that should have the policy: whether it proves that it has, by which rule set, and what is wrong. */
export function WhereInForce({ policy }: { readonly policy: WafPolicy }) {
  const { gateways, used_by } = policy;
  return (
    <Section
      title="In force"
      description={used_by.length === 0 ? undefined : `${inForceWords(policy)}, as their heartbeats prove.`}
    >
      {used_by.length === 0 ? (
        <Text size="sm" c="dimmed">
          No ingress uses it. Choose it in the form of an ingress, or on the command line:{' '}
          <code>mesh ingress set NAME --waf {policy.name}</code>
        </Text>
      ) : (
        <ul className={classes.lines} aria-label="Routes that use it">
          {used_by.map(({ ingress, name, hostname, path }) => (
            <li key={`${ingress} ${path}`}>
              <AnchorLink to="/ingress/$id" params={{ id: ingress }}>
                {name}
              </AnchorLink>
              <span className={classes.below}>
                {hostname}
                {path}
              </span>
            </li>
          ))}
        </ul>
      )}
      {gateways.length > 0 && (
        <ul className={classes.lines} aria-label="Gateways">
          {gateways.map(({ node, in_force, rule_set, problem }) => (
            <li key={node}>
              <div className={classes.head}>
                <NodeLink id={node} />
                <WafInForce isProven={in_force} />
              </div>
              <span className={classes.below}>
                {rule_set === null ? 'It has reported no rule set.' : `Core Rule Set ${rule_set}`}
              </span>
              {problem !== null && <Text size="sm">{problem}</Text>}
            </li>
          ))}
        </ul>
      )}
      {gateways.some(({ rule_set }) => isOutdated(rule_set)) && (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title="A rule set is at its end of life"
        >
          Versions before 4 of the Core Rule Set get no more fixes. Install a newer one on the gateways, and name its
          folder in <code>MESH_WAF_RULES</code>.
        </Alert>
      )}
    </Section>
  );
}
