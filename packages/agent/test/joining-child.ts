/** Enrols with a state folder and a coordinator, both given as arguments. The token comes as in real life: not as one. */
import { joinMesh } from '../src/identity/join-mesh.ts';
import { openStateFolder } from '../src/identity/state-folder.ts';
import { joinRequest } from './join-request.ts';

const [, , path = '', url = ''] = process.argv;
await joinMesh(await openStateFolder(path), joinRequest(url));
