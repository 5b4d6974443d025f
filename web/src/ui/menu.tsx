import { MenuTrigger, useMenuContext } from '@ark-ui/react/menu'
import type { ComponentProps } from 'react'
import { createStyleContext } from 'styled-system/jsx'
import { menu } from 'styled-system/recipes'
import { deferredRoot, deferredTrigger, useRootLoaded } from './deferred'
import { CheckIcon } from './icons'
import { useEscape } from './useEscape'

const { withRootProvider, withContext } = createStyleContext(menu)

const Root = deferredRoot(() => import('./machines/menu'), useMenuContext)
const Positioner = withContext(
  Root.part(({ Positioner }) => Positioner),
  'positioner',
)
const Body = withContext(
  Root.part(({ Content }) => Content),
  'content',
)

function OpenContent(props: ComponentProps<typeof Body>) {
  const menu = useMenuContext()
  useEscape(menu)
  // Ark moves the focus here a frame after it has opened the menu, even if it is closed by then.
  const leave = () => menu.open || document.getElementById(menu.getTriggerProps().id ?? '')?.focus()
  return (
    <Positioner>
      <Body {...props} onFocus={leave} />
    </Positioner>
  )
}

/** A list of actions or choices under a button. The keyboard and the type-ahead are Ark's. */
export const Menu = {
  Root: withRootProvider(Root, { defaultProps: { lazyMount: true, unmountOnExit: true } }),
  Trigger: withContext(deferredTrigger(MenuTrigger, 'menu'), 'trigger'),
  /** The list in its place beside the trigger. */
  Content: (props: ComponentProps<typeof Body>) => useRootLoaded() && <OpenContent {...props} />,
  Item: withContext(
    Root.part(({ Item }) => Item),
    'item',
  ),
  RadioItemGroup: withContext(
    Root.part(({ RadioItemGroup }) => RadioItemGroup),
    'itemGroup',
  ),
  RadioItem: withContext(
    Root.part(({ RadioItem }) => RadioItem),
    'item',
  ),
  ItemIndicator: withContext(
    Root.part(({ ItemIndicator }) => ItemIndicator),
    'itemIndicator',
    { defaultProps: { children: <CheckIcon size={4} /> } },
  ),
}
