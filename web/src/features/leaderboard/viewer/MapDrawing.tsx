import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ParkourMap } from '@/api'
import { MapPicture } from '@/entities/map/MapPicture'
import { Box } from '@/ui'
import { ExpandIcon } from '@/ui/icons'
import { dialogButton } from '@/ui/more/dialogButton'

const ViewerButton = dialogButton(() => import('./MapViewer'))

/** The uploaded picture of a map, or else the drawn one, with a button that opens the viewer of the drawing. */
export function MapDrawing({ map }: { map: ParkourMap }) {
  const { imageUrl, thumbnailUrl, pictureUrl, drawingUrl } = map
  const isUploaded = imageUrl !== pictureUrl
  return (
    <Box position="relative">
      <MapPicture
        src={imageUrl}
        small={isUploaded ? { src: thumbnailUrl, sizes: '(min-width: 48em) 46rem, 100vw' } : undefined}
        alt={isUploaded ? t`The map ${map.name}` : t`Drawing of ${map.name}`}
        eager
      />
      {drawingUrl && (
        <ViewerButton
          size="xs"
          position="absolute"
          bottom="3"
          insetEnd="var(--picture-edge, 0.75rem)"
          dialog={{ map, drawingUrl }}
        >
          <ExpandIcon size={4} /> <Trans>Explore the map</Trans>
        </ViewerButton>
      )}
    </Box>
  )
}
