import { usePanelRead } from '../../api/queries.ts';
import { SessionsTable } from '../../session/sessions-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { Appearance } from './appearance.tsx';
import { Authenticator } from './authenticator.tsx';
import { DisplayName } from './display-name.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordChange } from './password-change.tsx';

export default function ProfilePage() {
  const profile = usePanelRead('profile.show');
  return (
    <Page title="Your account">
      <Loaded query={profile}>
        {({ user, appearance, has_password, totp, passkeys, oidc }) => (
          <>
            <Section title="You">
              <Facts
                items={[
                  { label: 'User name', value: user.name },
                  { label: 'Role', value: user.role },
                  ...(oidc === null ? [] : [{ label: 'Identity provider account', value: oidc }]),
                ]}
              />
              <DisplayName key={user.display_name} name={user.display_name} />
              <Appearance appearance={appearance} />
            </Section>
            {has_password && <PasswordChange name={user.name} />}
            <Authenticator totp={totp} has_password={has_password} />
            {/* Accounts of the identity provider sign in there only. */}
            {(has_password || oidc === null) && <Passkeys passkeys={passkeys} />}
            <Section title="Sessions">
              <SessionsTable />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
