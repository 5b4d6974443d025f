import { PopoverTrigger, usePopoverContext } from '@ark-ui/react/popover'
import type { ComponentProps } from 'react'
import { createStyleContext } from 'styled-system/jsx'
import { popover } from 'styled-system/recipes'
import { deferredRoot, deferredTrigger, useRootLoaded } from '../deferred'
import { useKeptFocus } from '../keptFocus'
import { useEscape } from '../useEscape'

const { withRootProvider, withContext } = createStyleContext(popover)

const Root = deferredRoot(() => import('../machines/popover'), usePopoverContext)
const Positioner = withContext(
  Root.part(({ Positioner }) => Positioner),
  'positioner',
)
const Box = withContext(
  Root.part(({ Content }) => Content),
  'content',
)

function OpenContent(props: ComponentProps<typeof Box>) {
  useEscape(usePopoverContext())
  return (
    <Positioner>
      <Box {...props} {...useKeptFocus()} />
    </Positioner>
  )
}

/** A box with controls under a button. */
export const Popover = {
  Root: withRootProvider(Root, { defaultProps: { lazyMount: true } }),
  Trigger: withContext(deferredTrigger(PopoverTrigger, 'dialog'), 'trigger'),
  /** The box in its place beside the trigger. */
  Content: (props: ComponentProps<typeof Box>) => useRootLoaded() && <OpenContent {...props} />,
  Body: withContext('div', 'body'),
  Title: withContext(
    Root.part(({ Title }) => Title),
    'title',
  ),
}
