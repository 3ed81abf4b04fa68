import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Section } from '../../../ui/section.tsx';
import classes from './edit.module.css';
import { type IngressDraft, withRoute } from './ingress-draft.ts';
import type { MeshChoices } from './mesh-choices.ts';
import { RouteFields } from './route-fields.tsx';

interface PathFieldsProps {
  readonly draft: IngressDraft;
  readonly choices: MeshChoices;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (draft: IngressDraft) => void;
}

export function PathFields({ draft, choices, wrong, onChange }: PathFieldsProps) {
  const { routes, traffic } = draft;
  return (
    <Section
      title="Paths"
      description="A path and everything below it can lead to another service. The longest path that matches counts."
    >
      <Stack className={classes.readable} align="stretch">
        {routes.map((route, index) => (
          <RouteFields
            key={route.key}
            route={route}
            choices={choices}
            inherited={traffic}
            wrong={(field) => wrong(`routes/${index}/${field}`)}
            onChange={(changed) => onChange({ ...draft, routes: routes.with(index, changed) })}
            onRemove={() => onChange({ ...draft, routes: routes.filter(({ key }) => key !== route.key) })}
          />
        ))}
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onChange(withRoute(draft))}
          >
            Add path
          </Button>
        </div>
      </Stack>
    </Section>
  );
}
