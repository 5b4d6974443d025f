import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ParkourMap } from '@/api'
import { keepDroppedFile } from '@/entities/upload/droppedFile'
import { paths } from '@/routes/paths'
import { Center, Name, styled } from '@/ui'
import { UploadIcon } from '@/ui/icons'

const Cover = styled(Center, {
  base: {
    position: 'fixed',
    inset: '2',
    zIndex: 'overlay',
    flexDirection: 'column',
    gap: '3',
    borderWidth: '2px',
    borderStyle: 'dashed',
    borderColor: 'brand.solid',
    rounded: 'l3',
    bg: 'bg/90',
    fontSize: 'xl',
    fontWeight: 'semibold',
    textAlign: 'center',
    pointerEvents: 'none',
  },
})

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

/** Takes a replay that is dropped anywhere on the page of a map, and opens the form for it. */
export function DropTarget({ map }: { map: ParkourMap }) {
  const navigate = useNavigate()
  const [over, setOver] = useState(false)
  useEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Without it the browser opens the file.
      event.preventDefault()
      setOver(true)
    }
    // The pointer has left the window where it is over no other element.
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      const file = event.dataTransfer?.files[0]
      if (!file) return
      keepDroppedFile(file)
      navigate(paths.recordSubmitFor(map._id))
    }
    document.addEventListener('dragover', onOver)
    document.addEventListener('dragleave', onLeave)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onOver)
      document.removeEventListener('dragleave', onLeave)
      document.removeEventListener('drop', onDrop)
    }
  }, [map._id, navigate])
  if (!over) return null
  return (
    <Cover>
      <UploadIcon size={8} />
      <span>
        <Trans>
          Drop the replay to submit it for <Name>{map.name}</Name>
        </Trans>
      </span>
    </Cover>
  )
}
