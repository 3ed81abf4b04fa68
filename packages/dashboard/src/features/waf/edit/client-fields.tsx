import { Stack } from '@mantine/core';
import { Section } from '../../../ui/section.tsx';
import { WordsField } from '../../../ui/words-field.tsx';
import classes from './edit.module.css';
import type { PolicyDraft } from './policy-draft.ts';

type Clients = PolicyDraft['clients'];

interface ClientFieldsProps {
  readonly clients: Clients;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (clients: Clients) => void;
}

const COUNTRIES = 'By two letters, such as DE. Gateways need a data file of countries; without one they do not serve.';

/** Who is not inspected, and who is refused. */
export function ClientFields({ clients, wrong, onChange }: ClientFieldsProps) {
  const set = (change: Partial<Clients>) => onChange({ ...clients, ...change });
  const upper = (words: readonly string[]) => words.map((one) => one.toUpperCase());
  return (
    <Section
      title="Clients"
      description="Who is not inspected, and who is refused. In the mode “detect”, only recorded."
    >
      <Stack className={classes.readable}>
        <WordsField
          label="Trusted networks"
          description="Their requests are not inspected."
          placeholder="10.0.0.0/8"
          initial={clients.trusted}
          choices={[]}
          error={wrong('trusted')}
          onChange={(trusted) => set({ trusted: [...trusted] })}
        />
        <WordsField
          label="Refused networks"
          description="Their requests do not pass."
          placeholder="None"
          initial={clients.denied}
          choices={[]}
          error={wrong('denied')}
          onChange={(denied) => set({ denied: [...denied] })}
        />
        <WordsField
          label="Only from countries"
          description={COUNTRIES}
          placeholder="All countries"
          initial={clients.allowed_countries}
          choices={[]}
          error={wrong('allowed_countries')}
          onChange={(words) => set({ allowed_countries: upper(words) })}
        />
        <WordsField
          label="Refused countries"
          description={COUNTRIES}
          placeholder="None"
          initial={clients.denied_countries}
          choices={[]}
          error={wrong('denied_countries')}
          onChange={(words) => set({ denied_countries: upper(words) })}
        />
      </Stack>
    </Section>
  );
}
