/** The rotation of the authorities. */

import { NameOf } from '../../event-data.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Type } from '../../type.ts';
import { DeadlineWanted, exampleRotation, RotatedText, Rotation } from './rotation-record.ts';

export const rotationOperations = defineOperations({
  'ca.rotate': {
    method: 'POST',
    path: '/v1/ca/rotate',
    summary: 'Rotate the authorities',
    description:
      'Makes new ones and publishes them to every node. They are used when every fresh node has proven by heartbeat that it trusts them, or at the deadline. Then certificates are renewed within an hour, and the old authorities retire when the last certificate of theirs has expired or been renewed. An intermediate is rotated by itself when two thirds of its life are over.',
    permission: 'ca:rotate',
    reach: 'mesh',
    confirmed: true,
    body: Strict({
      what: Type.Optional(RotatedText),
      deadline_s: DeadlineWanted,
      hold_s: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 90 * 86_400,
          description:
            'Seconds that they are published at least before they are used, so that machines outside of the mesh can fetch the new trust bundle. Less than `deadline_s`. Absent: none.',
        }),
      ),
    }),
    answer: { status: 200, description: 'The rotation.', schema: Rotation },
    errors: ['rotation_under_way', 'root_key_outside'],
    example: { body: { what: 'intermediate' }, answer: exampleRotation },
  },
  'ca.cancel_rotation': {
    method: 'DELETE',
    path: '/v1/ca/rotate',
    summary: 'Cancel the rotation of the authorities',
    description: 'Until the new authorities are used. Nodes drop them.',
    permission: 'ca:rotate',
    reach: 'mesh',
    confirmed: true,
    answer: { status: 204, description: 'It is cancelled.' },
    errors: ['not_found', 'rotation_switched'],
    example: {},
  },
});

export const rotationEvents = {
  'authority.rotation_started': {
    summary: 'A rotation of the authorities was started',
    data: Strict({ name: NameOf('new authority'), what: RotatedText }),
  },
  'authority.rotation_cancelled': {
    summary: 'A rotation of the authorities was cancelled',
    data: Strict({ name: NameOf('new authority'), what: RotatedText }),
  },
  'authority.switched': {
    summary: 'New authorities came into use',
    data: Strict({
      name: NameOf('new authority'),
      unproven: Type.Integer({ description: 'Nodes that had not proven that they trust it.' }),
    }),
  },
  'authority.retired': {
    summary: 'An authority was retired',
    data: Strict({ name: NameOf('authority') }),
  },
};
