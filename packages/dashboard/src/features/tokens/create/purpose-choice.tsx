import { Radio, SimpleGrid, Text } from '@mantine/core';
import { useSession } from '../../../session/session.tsx';
import classes from './purpose-choice.module.css';
import { lackingFor, PURPOSES } from './purposes.ts';

interface PurposeChoiceProps {
  readonly chosen: string | null;
  readonly choose: (id: string) => void;
}

export function PurposeChoice({ chosen, choose }: PurposeChoiceProps) {
  const { permissions } = useSession();
  return (
    <Radio.Group aria-label="Purpose" value={chosen} onChange={choose}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {PURPOSES.map((purpose) => {
          const lacking = lackingFor(purpose, permissions);
          return (
            <Radio.Card
              key={purpose.id}
              value={purpose.id}
              disabled={lacking.length > 0}
              className={classes.purpose}
              aria-describedby={`purpose-${purpose.id}`}
            >
              <span className={classes.inside}>
                <Radio.Indicator className={classes.mark} />
                <span>
                  <Text span fw={600} size="sm" display="block">
                    {purpose.title}
                  </Text>
                  <Text span size="sm" c="dimmed" id={`purpose-${purpose.id}`}>
                    {purpose.text}
                    {purpose.role !== null && ` Role ${purpose.role}.`}
                    {lacking.length > 0 && ` Not available: you do not have ${lacking.join(', ')}.`}
                  </Text>
                </span>
              </span>
            </Radio.Card>
          );
        })}
      </SimpleGrid>
    </Radio.Group>
  );
}
