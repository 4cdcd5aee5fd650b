/** The path parameter of administrators' routes that names a user (contract/administration#users). */

import { z } from 'zod';
import type { PathParameterDoc } from './route.ts';

export const userIdParameter: PathParameterDoc = {
  description: 'The user: the `sub` of their tokens.',
  schema: () => z.string().min(1),
  example: 'user-1',
};
