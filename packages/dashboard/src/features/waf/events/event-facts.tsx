import type { WafEvent } from '@meshwork/contract';
import { NodeLink } from '../../../mesh/node-link.tsx';
import { WafPolicyLink } from '../../../mesh/waf-policy-link.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from '../waf.module.css';

/** The request, as far as it is recorded. */
export function EventFacts({ event }: { readonly event: WafEvent }) {
  const { at, method, host, path, address, status, score_in, score_out, policy, ingress, route, node } = event;
  return (
    <Section
      title="Request"
      description="Its query, its other headers and its body are not recorded: only what rules matched is."
    >
      <Facts
        items={[
          { label: 'When', value: <Moment at={at} /> },
          {
            label: 'Request',
            value: (
              <span className={classes.request}>
                {method} {host}
                {path}
              </span>
            ),
          },
          {
            label: 'Client',
            value: (
              <AnchorLink to="/waf/events" search={{ address }}>
                {address}
              </AnchorLink>
            ),
          },
          { label: 'Answer', value: String(status) },
          { label: 'Score', value: score_out === 0 ? String(score_in) : `${score_in}, of the answer ${score_out}` },
          { label: 'Policy', value: <WafPolicyLink id={policy} /> },
          {
            label: 'Route',
            value: (
              <AnchorLink to="/ingress/$id" params={{ id: ingress }} className={classes.mono}>
                {route}
              </AnchorLink>
            ),
          },
          { label: 'Gateway', value: <NodeLink id={node} /> },
          {
            label: 'Request ID',
            value: <Copyable value={event.request_id} />,
            help: 'The service gets it in the header X-Request-Id.',
          },
          { label: 'ID', value: <Copyable value={event.id} /> },
        ]}
      />
    </Section>
  );
}
