import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ParkourMap } from '@/api'
import { AspectRatio, Box, Button, Image, loadDialog } from '@/ui'
import { ExpandIcon } from '@/ui/icons'
import { onDemand } from '@/ui/onDemand'

const MapViewer = onDemand(async () => (await Promise.all([import('./MapViewer'), loadDialog()]))[0])

interface Props {
  map: ParkourMap
  /** It is visible without scrolling. */
  eager: boolean
}

/** The drawn picture of a map, which opens the viewer. It is absent where the map is not drawn yet. */
export function MapDrawing({ map, eager }: Props) {
  const { opened, close, buttonProps } = MapViewer.useOpened()
  const { pictureUrl, drawingUrl } = map
  if (!pictureUrl || !drawingUrl) return null
  const { loading, ...handlers } = buttonProps
  return (
    <>
      <Box position="relative">
        <AspectRatio ratio={1200 / 630} bg="bg.muted" cursor="zoom-in" onClick={handlers.onClick}>
          <Image
            src={pictureUrl}
            alt={t`Drawing of ${map.name}`}
            objectFit="cover"
            loading={eager ? 'eager' : 'lazy'}
          />
        </AspectRatio>
        <Button
          size="xs"
          position="absolute"
          bottom="2"
          insetEnd="2"
          aria-haspopup="dialog"
          aria-busy={loading || undefined}
          {...handlers}
          aria-expanded={opened}
        >
          <ExpandIcon size={4} /> <Trans>Explore the map</Trans>
        </Button>
      </Box>
      {opened && <MapViewer.Component map={map} drawingUrl={drawingUrl} onClose={close} />}
    </>
  )
}
