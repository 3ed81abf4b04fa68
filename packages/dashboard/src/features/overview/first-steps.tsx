import { useMay } from '../../session/session.tsx';
import { Section } from '../../ui/section.tsx';
import { FirstStep } from './first-step.tsx';
import classes from './first-steps.module.css';

const TOKEN_COMMAND =
  'mesh token create first-nodes --role enroller --team platform --surface git --environment production --expires 1h --uses 2 --secret-file token';

/** What to do with an empty mesh. */
export function FirstSteps() {
  const may = useMay();
  const mayEnrol = may('nodes:enroll') && may('tokens:create');
  return (
    <Section title="The mesh is empty" description="Three steps to two machines that reach each other.">
      <ol className={classes.steps}>
        <FirstStep
          title="Enrol a node"
          command={TOKEN_COMMAND}
          place={mayEnrol ? { to: '/nodes', search: { enrol: 'yes' }, label: 'Enrol a node' } : undefined}
        >
          Any Linux machine with WireGuard works. No machine available? <code>mesh lab up --nodes 2</code> starts two
          real nodes in network namespaces of the machine it runs on.
        </FirstStep>
        {may('acls:read') && (
          <>
            <FirstStep title="Add a grant" command="mesh acl edit" place={{ to: '/access', label: 'Open policy' }}>
              Apart from ping, nodes cannot reach each other until the policy allows it. A grant names sources,
              destinations and ports.
            </FirstStep>
            <FirstStep
              title="Check access"
              command="mesh explain git-1 git-2:22"
              place={{ to: '/reach', label: 'Check who can reach what' }}
            >
              For any two nodes and a port: whether it works, every step on the path, and how to fix it.
            </FirstStep>
          </>
        )}
      </ol>
    </Section>
  );
}
