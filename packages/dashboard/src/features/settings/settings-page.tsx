import { isWholeMesh } from '@meshwork/contract/vocabulary';
import { IconLock } from '@tabler/icons-react';
import { useRead } from '../../api/queries.ts';
import { useMay, useSession } from '../../session/session.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SettingsFacts } from './settings-facts.tsx';
import { SettingsForm } from './settings-form.tsx';

export default function SettingsPage() {
  const { scope } = useSession().user;
  const permitted = isWholeMesh(scope);
  const query = useRead('settings.show', undefined, { enabled: permitted });
  const writes = useMay()('settings:write');
  return (
    <Page
      title="Settings"
      subtitle={
        writes
          ? 'Changes apply immediately, to the whole mesh.'
          : 'Settings of the whole mesh. Your role can view but not change them.'
      }
    >
      {permitted ? (
        <Loaded query={query}>
          {(settings, { etag }) =>
            writes ? <SettingsForm settings={settings} etag={etag} /> : <SettingsFacts settings={settings} />
          }
        </Loaded>
      ) : (
        <EmptyState icon={IconLock} title="Requires access to the whole mesh">
          Settings affect every node, so only people whose boundary is the whole mesh can view them.
        </EmptyState>
      )}
    </Page>
  );
}
