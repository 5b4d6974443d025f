import { Collapsible as Ark } from '@ark-ui/react/collapsible'
import { createStyleContext } from 'styled-system/jsx'
import { collapsible } from 'styled-system/recipes'

const { withProvider, withContext } = createStyleContext(collapsible)

/** A part of a page that opens and closes under its title. */
export const Collapsible = {
  Root: withProvider(Ark.Root, 'root'),
  Trigger: withContext(Ark.Trigger, 'trigger'),
  Content: withContext(Ark.Content, 'content'),
  Indicator: withContext(Ark.Indicator, 'indicator'),
}
