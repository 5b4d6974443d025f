import { Progress as Ark } from '@ark-ui/react/progress'
import { createStyleContext } from 'styled-system/jsx'
import { progress } from 'styled-system/recipes'

const { withProvider, withContext } = createStyleContext(progress)

/** A bar of how much is done; a value of null is unknown. */
export const Progress = {
  Root: withProvider(Ark.Root, 'root'),
  Track: withContext(Ark.Track, 'track'),
  Range: withContext(Ark.Range, 'range'),
}
