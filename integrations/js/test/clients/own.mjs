// An assertion of a user's own file.
import {assertionOf} from 'bleuprint/promptfoo';

export const chrf = assertionOf('chrf', {threshold: 60, wordOrder: 2});
