import { Input, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import type { Profile } from '@meshwork/contract';
import { usePanelAction } from '../../api/actions.ts';

const CHOICES = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Colours of the panel, wherever one signs in. */
export function Appearance({ appearance }: { readonly appearance: Profile['appearance'] }) {
  const { setColorScheme } = useMantineColorScheme();
  const update = usePanelAction('profile.update');
  const choose = (value: Profile['appearance']) => {
    setColorScheme(value);
    void update.run({ body: { appearance: value } }).catch(() => undefined); // already reported; it applies here anyway
  };
  return (
    <Input.Wrapper label="Appearance" labelElement="div">
      <div>
        <SegmentedControl
          aria-label="Appearance"
          data={[...CHOICES]}
          value={appearance}
          onChange={(value) => choose(value as Profile['appearance'])}
        />
      </div>
    </Input.Wrapper>
  );
}
