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
import type { Elements } from './basics'
import { type OpenButtonProps, onDemand } from './onDemand'

/**
 * Most parts of a component that behaves (Menu, Popover, Dialog, Drawer) are small and belong to every page. What is large
 * is in the chunk of its Root: the state machine of Ark, and the parts that Ark mounts and unmounts. It is fetched when a
 * pointer or the focus comes to the trigger, and a click opens the component once it is there.
 */
interface RootProps {
  children?: ReactNode
  open?: boolean | undefined
}

// The handlers of the trigger while the Root is not loaded; null where it is.
const Waiting = createContext<OpenButtonProps | null>(null)

/**
 * Returns a Root whose code is loaded on demand, with a function for the parts in its chunk. useApi is the hook of what the
 * Root provides.
 */
export function deferredRoot<Props extends RootProps, Parts>(
  loadChunk: () => Promise<{ Root: ComponentType<Props> } & Parts>,
  useApi: () => { setOpen: (open: boolean) => void; getTriggerProps: () => { id?: string } },
) {
  let parts: Parts | undefined
  const load = async () => {
    const chunk = await loadChunk()
    parts = chunk
    return { default: chunk.Root }
  }
  const Root = onDemand<Props>(load)

  // Opened when it is there: a component that is open from the beginning would not take the focus.
  function Opener() {
    const { setOpen, getTriggerProps } = useApi()
    const open = useEffectEvent(() => {
      // The trigger that was clicked is another element now. Ark moves the focus only a frame later.
      document.getElementById(getTriggerProps().id ?? '')?.focus({ preventScroll: true })
      setOpen(true)
    })
    useEffect(() => open(), [])
    return null
  }

  function DeferredRoot(props: Props) {
    const { opened, buttonProps } = Root.useOpened()
    if (!opened && !props.open) return <Waiting value={buttonProps}>{props.children}</Waiting>
    return (
      <Waiting value={null}>
        <Root.Component {...props}>
          {props.children as Elements}
          {opened && <Opener />}
        </Root.Component>
      </Waiting>
    )
  }

  /** Returns a part that is in the chunk of the Root, and absent before the Root is loaded. */
  function part<PartProps extends object>(partOf: (parts: Parts) => ComponentType<PartProps>) {
    return function DeferredPart(props: PartProps) {
      const Part = parts && partOf(parts)
      return Part && <Part {...props} />
    }
  }
  return Object.assign(DeferredRoot, { load, part })
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
