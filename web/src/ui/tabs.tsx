import { Tabs as Ark } from '@ark-ui/react/tabs'
import { createStyleContext } from 'styled-system/jsx'
import { tabs } from 'styled-system/recipes'

const { withProvider, withContext } = createStyleContext(tabs)

/** Several contents in one place, of which one is shown. */
export const Tabs = {
  Root: withProvider(Ark.Root, 'root'),
  List: withContext(Ark.List, 'list'),
  Trigger: withContext(Ark.Trigger, 'trigger'),
  Content: withContext(Ark.Content, 'content'),
}
