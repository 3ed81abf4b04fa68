import { Text } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { Facts } from '../../../ui/facts.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from '../ingress.module.css';
import { trafficByPath } from '../traffic-words.ts';

/** What passes, and how, where that is not the default. Where everything passes as it is, there is no such section. */
export function TrafficRules({ ingress }: { readonly ingress: Ingress }) {
  const paths = trafficByPath(ingress);
  if (paths.length === 0) return null;
  const isHttp = ingress.kind === 'http';
  return (
    <Section
      title="Traffic rules"
      description={isHttp ? 'What differs from the defaults. A path has the rules of / and its own.' : undefined}
    >
      {paths.map(({ path, lines }) => (
        <div key={path} className={classes.rules}>
          {isHttp && (
            <Text size="sm" fw={500} mb={4} className={classes.mono}>
              {path}
            </Text>
          )}
          <Facts items={lines.map(({ label, text }) => ({ label, value: text }))} />
        </div>
      ))}
    </Section>
  );
}
