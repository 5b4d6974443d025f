import { ark } from '@ark-ui/react/factory'
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
} from 'react'
import { type OpenButtonProps, onDemand } from './onDemand'

/**
 * The parts of a component that behaves (Menu, Popover, Dialog, Drawer) are small and belong to every page. Its Root
 * holds what is large: the state machine of Ark. It is fetched when a pointer or the focus comes to the trigger, and a
 * click opens the component once it is there.
 */
interface RootProps {
  children?: ReactNode
  open?: boolean | undefined
}

// The handlers of the trigger while the Root is not loaded; null where it is.
const Waiting = createContext<OpenButtonProps | null>(null)

/** Returns a Root whose code is loaded on demand. useApi is the hook of what the Root provides. */
export function deferredRoot<Props extends RootProps>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  useApi: () => { setOpen: (open: boolean) => void },
) {
  const Root = onDemand<Props>(load)

  // Opened when it is there: a component that is open from the beginning would not take the focus.
  function Opener() {
    const { setOpen } = useApi()
    const open = useEffectEvent(() => setOpen(true))
    useEffect(() => open(), [])
    return null
  }

  function DeferredRoot(props: Props) {
    const { opened, buttonProps } = Root.useOpened()
    if (!opened && !props.open) return <Waiting value={buttonProps}>{props.children}</Waiting>
    return (
      <Waiting value={null}>
        <Root.Component {...props}>
          {props.children}
          {opened && <Opener />}
        </Root.Component>
      </Waiting>
    )
  }
  return Object.assign(DeferredRoot, { load })
}

type TriggerProps = Omit<ComponentProps<typeof ark.button>, 'value'>

/** Returns a trigger that loads its Root. */
export function deferredTrigger(Trigger: ComponentType<TriggerProps>, popup: 'menu' | 'dialog') {
  return function DeferredTrigger(props: TriggerProps) {
    const waiting = useContext(Waiting)
    if (!waiting) return <Trigger {...props} />
    const { loading, ...handlers } = waiting
    return <ark.button aria-haspopup={popup} aria-busy={loading || undefined} {...handlers} {...props} />
  }
}

/** Reports whether the Root is loaded, so that its other parts can be shown. */
export const useRootLoaded = () => useContext(Waiting) === null
