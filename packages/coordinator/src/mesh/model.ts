/** The whole mesh in memory: the model of the documents in `kinds/`. */
import * as documents from '@meshwork/service/documents';
import { type Documents, KIND_NAMES, type Kind } from '../kinds/kinds.ts';

export type Stored<K extends Kind> = documents.Stored<Documents, K>;
export type View = documents.View<Documents>;
export type Changed<K extends Kind = Kind> = documents.Changed<Documents, K>;
export type ModelWatch = documents.ModelWatch<Documents>;
export type Put<K extends Kind = Kind> = documents.Put<Documents, K>;

export class Model extends documents.Model<Documents> {
  constructor() {
    super(KIND_NAMES);
  }
}
