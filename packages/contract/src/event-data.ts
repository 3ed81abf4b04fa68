/** What the data of several events have in common. */
import { Strict } from './operation.ts';
import { Type } from './type.ts';

export const NameOf = (what: string) => Type.String({ description: `Name of the ${what}.` });
export const ofNode = { name: NameOf('node') };
export const OnNode = Strict(ofNode);
export const NoData = Strict({});
