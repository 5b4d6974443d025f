import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ParkourMap } from '@/api'
import { MapPicture } from '@/entities/map/MapPicture'
import { Box, Button, loadDialog } from '@/ui'
import { ExpandIcon } from '@/ui/icons'
import { onDemand } from '@/ui/onDemand'

const MapViewer = onDemand(async () => (await Promise.all([import('./MapViewer'), loadDialog()]))[0])

/** The uploaded picture of a map, or else the drawn one, with a button that opens the viewer of the drawing. */
export function MapDrawing({ map }: { map: ParkourMap }) {
  const { opened, close, buttonProps } = MapViewer.useOpened()
  const { imageUrl, thumbnailUrl, pictureUrl, drawingUrl } = map
  const isUploaded = imageUrl !== pictureUrl
  const { loading, ...handlers } = buttonProps
  return (
    <Box position="relative">
      <MapPicture
        src={imageUrl}
        small={isUploaded ? { src: thumbnailUrl, sizes: '(min-width: 48em) 46rem, 100vw' } : undefined}
        alt={isUploaded ? t`The map ${map.name}` : t`Drawing of ${map.name}`}
        eager
      />
      {drawingUrl && (
        <Button
          size="xs"
          position="absolute"
          bottom="3"
          insetEnd="3"
          aria-haspopup="dialog"
          aria-busy={loading || undefined}
          {...handlers}
          aria-expanded={opened}
        >
          <ExpandIcon size={4} /> <Trans>Explore the map</Trans>
        </Button>
      )}
      {drawingUrl && opened && <MapViewer.Component map={map} drawingUrl={drawingUrl} onClose={close} />}
    </Box>
  )
}
