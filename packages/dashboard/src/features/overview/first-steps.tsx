import { useMay } from '../../session/session.tsx';
import { Section } from '../../ui/section.tsx';
import { FirstStep } from './first-step.tsx';
import classes from './first-steps.module.css';

const TOKEN_COMMAND =
  'mesh token create first-nodes --role enroller --team platform --surface git --environment production --expires 1h --uses 2 --secret-file token';

/** What to do with a mesh that nobody is in yet. */
export function FirstSteps() {
  const may = useMay();
  const mayEnrol = may('nodes:enroll') && may('tokens:create');
  return (
    <Section title="The mesh is empty" description="From here to two machines that reach each other.">
      <ol className={classes.steps}>
        <FirstStep
          title="Enrol a node"
          command={TOKEN_COMMAND}
          place={mayEnrol ? { to: '/nodes', search: { enrol: 'yes' }, label: 'Enrol a node' } : undefined}
        >
          Any Linux machine with WireGuard can become one. No machine at hand? <code>mesh lab up --nodes 2</code> brings
          up two real nodes, in network namespaces of the machine that it runs on.
        </FirstStep>
        {may('acls:read') && (
          <>
            <FirstStep
              title="Write a grant"
              command="mesh acl edit"
              place={{ to: '/access', label: 'Open the policy' }}
            >
              Beyond a ping, nobody reaches anybody until the policy says so. A grant names who, whom, and which ports.
            </FirstStep>
            <FirstStep
              title="Ask why"
              command="mesh explain git-1 git-2:22"
              place={{ to: '/reach', label: 'Ask why A cannot reach B' }}
            >
              For any two nodes and a port: whether it works, every step on the way, and what would make it work.
            </FirstStep>
          </>
        )}
      </ol>
    </Section>
  );
}
