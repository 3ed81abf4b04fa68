/** The desired state of a node beside the state that it reports. */

import { Applied } from '../../heartbeat/applied.ts';
import { APPLIED_SECTIONS, type AppliedSection } from '../../heartbeat/sections.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { AcceptRoutes, NodeIdText, NodeStateText } from '../../node-fields.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';

const SectionPosture = Type.Object(
  {
    desired: Type.Object(
      {
        revision: Type.Integer({ description: 'The revision that last changed it for this node.' }),
        digest: Type.String({ description: 'Of what it should be.' }),
      },
      { additionalProperties: false, description: 'What should be in effect.' },
    ),
    observed: maybe(
      Type.Object(Applied.properties, { additionalProperties: false }),
      'What the node last reported as in effect. Null: not reported.',
    ),
    carried: Type.Boolean({
      description:
        'Whether the agent can carry the section. False: it is not sent, and does not count as a difference.',
    }),
    in_sync: Type.Boolean({ description: 'Whether both are the same. True for a section that is not carried.' }),
    drift_since: maybe(Timestamp('Since when they differ for longer than they may. Null: they do not.')),
    reason: maybe(Type.String(), 'How they differ. Null: they do not.'),
  },
  { additionalProperties: false },
);

export const Posture = named(
  'Posture',
  Type.Object(
    {
      node: NodeIdText,
      state: NodeStateText,
      revision: Type.Integer({ description: 'Of the mesh, when this was read.' }),
      heartbeat: maybe(Timestamp('The last one. Null: there was none.')),
      drift_since: maybe(Timestamp('Since when anything below drifts. Null: nothing does.')),
      sections: Type.Object(
        Object.fromEntries(
          APPLIED_SECTIONS.map((name) => [
            name,
            Type.Object(SectionPosture.properties, {
              additionalProperties: false,
              description: `The section \`${name}\` of the heartbeat.`,
            }),
          ]),
        ) as Record<AppliedSection, typeof SectionPosture>,
        { additionalProperties: false, description: 'By section of the heartbeat.' },
      ),
      relay: Type.Object(
        {
          desired: maybe(Type.String(), 'The relay assigned. Null: none, or one that you may not see.'),
          observed: maybe(
            Type.String(),
            'The relay its traffic can go through. Null: none, not reported, or one that you may not see.',
          ),
        },
        { additionalProperties: false, description: 'Its relay.' },
      ),
      accept_routes: maybe(
        AcceptRoutes,
        'Which routes its host takes; what it does not take is no drift. Null: its agent does not report it, and takes all.',
      ),
      repaired: maybe(
        Type.Object(
          {
            at: Timestamp('When, by the node’s clock.'),
            sections: Type.Array(Type.Enum(APPLIED_SECTIONS), { description: 'In which sections.' }),
            found: Type.String({ description: 'What was found in the place of the last one.' }),
          },
          { additionalProperties: false },
        ),
        'The last change on the node that its agent did not make, and reverted. Null: none.',
      ),
      telemetry: maybe(Type.Record(Type.String(), Type.Number()), 'Its last telemetry. Null: none yet.'),
    },
    { additionalProperties: false },
  ),
);
export type Posture = Static<typeof Posture>;

const exampleSection = {
  desired: { revision: 1184, digest: '9b74c9897bac' },
  observed: { revision: 1184, digest: '9b74c9897bac' },
  carried: true,
  in_sync: true,
  drift_since: null,
  reason: null,
};

export function examplePosture({ id, heartbeat }: { readonly id: string; readonly heartbeat: string | null }): Posture {
  return {
    node: id,
    state: 'active',
    revision: 1184,
    heartbeat,
    drift_since: null,
    sections: Object.fromEntries(APPLIED_SECTIONS.map((name) => [name, exampleSection])) as Posture['sections'],
    relay: { desired: 'fra-1', observed: 'fra-1' },
    accept_routes: 'subnets',
    repaired: null,
    telemetry: { uptime_s: 3600, load: 0.4 },
  };
}
