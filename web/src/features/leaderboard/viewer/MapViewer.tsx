import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useId, useRef, useState } from 'react'
import type { ParkourMap } from '@/api'
import { Button, Center, Dialog, Flex, HStack, IconButton, Name, Spinner, Text } from '@/ui'
import { ExpandIcon, MinusIcon, PlusIcon, TargetIcon } from '@/ui/icons'
import { ErrorAlert } from '@/ui/messages'
import { DrawingBox } from './DrawingBox'
import { type Drawing, parseDrawing } from './parseDrawing'
import { useMapView, ZOOM_STEP } from './useMapView'

interface Props {
  map: ParkourMap
  drawingUrl: string
  onClose: () => void
}

/** Shows a map's drawing as large as the window. It opens when it is mounted. */
export default function MapViewer({ map, drawingUrl, onClose }: Props) {
  const { drawing, retry } = useDrawing(drawingUrl)
  const content = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root
      open
      size="cover"
      initialFocusEl={() => content.current}
      onOpenChange={({ open }) => !open && onClose()}
    >
      <Dialog.Content ref={content} tabIndex={-1} outline="none" overflow="hidden">
        <Dialog.Header pb="2">
          <Dialog.Title>
            <Name>{map.name}</Name>
          </Dialog.Title>
        </Dialog.Header>
        <Dialog.Body display="flex" flexDirection="column" gap="3" minH="0">
          {drawing === 'failed' ? (
            <ErrorAlert text={t`The drawing could not be loaded`} onRetry={retry} />
          ) : drawing ? (
            <Viewer drawing={drawing} name={map.name} />
          ) : (
            <Center flex="1" role="status" aria-label={t`Loading the drawing`}>
              <Spinner size="xl" />
            </Center>
          )}
        </Dialog.Body>
        <Dialog.CloseTrigger />
      </Dialog.Content>
    </Dialog.Root>
  )
}

function useDrawing(url: string) {
  const [drawing, setDrawing] = useState<Drawing | 'failed' | null>(null)
  const [attempt, setAttempt] = useState(1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads the drawing anew
  useEffect(() => {
    const controller = new AbortController()
    loadDrawing(url, controller.signal).then(setDrawing, (error) => {
      if (controller.signal.aborted) return
      console.error(error)
      setDrawing('failed')
    })
    return () => controller.abort()
  }, [url, attempt])
  const retry = () => {
    setDrawing(null)
    setAttempt(attempt + 1)
  }
  return { drawing, retry }
}

async function loadDrawing(url: string, signal: AbortSignal): Promise<Drawing> {
  const response = await fetch(new URL(url, location.origin), { signal })
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return parseDrawing(await response.text())
}

// The marks that can be hidden: their class in the drawing, and their label.
const MARKS = [
  ['spawn', msg`Spawns`],
  ['finish', msg`Finish`],
  ['zone', msg`Other areas`],
  ['deadly', msg`Deadly`],
  ['no-grapple', msg`No grapple`],
] as const

function Viewer({ drawing, name }: { drawing: Drawing; name: string }) {
  const { box, zoom, zoomBy, showAll, handlers } = useMapView(drawing)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const help = useId()
  useEffect(() => box.current?.focus(), [box])
  const toggle = (mark: string) =>
    setHidden(hidden.includes(mark) ? hidden.filter((other) => other !== mark) : [...hidden, mark])
  const toggleFullScreen = () =>
    (document.fullscreenElement ? document.exitFullscreen() : box.current?.requestFullscreen())?.catch(console.error)
  return (
    <>
      <Flex wrap="wrap" gap="2" justify="space-between">
        <HStack role="group" aria-label={t`Marks`} flexWrap="wrap" gap="1">
          {MARKS.filter(([mark]) => drawing.svg.querySelector(`.${mark}`)).map(([mark, label]) => (
            <Button
              key={mark}
              size="xs"
              variant={hidden.includes(mark) ? 'outline' : 'solid'}
              aria-pressed={!hidden.includes(mark)}
              onClick={() => toggle(mark)}
            >
              {i18n._(label)}
            </Button>
          ))}
        </HStack>
        <HStack gap="1">
          <Text role="status" textStyle="sm" minW="12" textAlign="end" fontVariantNumeric="tabular-nums">
            {i18n.number(zoom, { style: 'percent' })}
          </Text>
          <IconButton size="xs" variant="outline" aria-label={t`Zoom out`} onClick={() => zoomBy(1 / ZOOM_STEP)}>
            <MinusIcon size={4} />
          </IconButton>
          <IconButton size="xs" variant="outline" aria-label={t`Zoom in`} onClick={() => zoomBy(ZOOM_STEP)}>
            <PlusIcon size={4} />
          </IconButton>
          <IconButton size="xs" variant="outline" aria-label={t`Show the whole map`} onClick={showAll}>
            <TargetIcon size={4} />
          </IconButton>
          {document.fullscreenEnabled && (
            <IconButton size="xs" variant="outline" aria-label={t`Full screen`} onClick={toggleFullScreen}>
              <ExpandIcon size={4} />
            </IconButton>
          )}
        </HStack>
      </Flex>
      <DrawingBox
        ref={box}
        role="application"
        tabIndex={0}
        aria-label={t`Map ${name}`}
        aria-describedby={help}
        data-hidden={hidden.join(' ')}
        {...handlers}
      />
      <Text id={help} textStyle="xs" color="fg.muted">
        <Trans>
          Drag or press the arrow keys to move, scroll, pinch or press + and - to zoom, 0 shows the whole map.
        </Trans>
      </Text>
    </>
  )
}
