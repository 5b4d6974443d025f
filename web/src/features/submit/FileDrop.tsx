import { Box, Button, chakra, Field, Flex, Spinner, Text } from '@chakra-ui/react'
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { UploadIcon } from '@/shared/components/icons'

interface Props {
  label: string
  hint: string
  // As the file picker takes it, such as '.webp'. What is dropped is judged by onFile.
  accept: string
  file: File | null
  problem: string | null
  reading?: boolean
  disabled?: boolean
  preview?: ReactNode
  onFile: (file: File) => void
  onClear: () => void
}

// FileDrop takes one file, by the file picker or dropped on it.
export function FileDrop(props: Props) {
  const { label, hint, accept, file, problem, reading = false, disabled = false, preview } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)

  const take = (files: FileList | null) => {
    const [chosen] = files ?? []
    if (chosen && !disabled) props.onFile(chosen)
    // The same file may be chosen again after it was changed or removed.
    if (input.current) input.current.value = ''
  }

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }

  return (
    <Field.Root id={id} invalid={problem !== null}>
      <Field.Label>{label}</Field.Label>
      <Flex
        position="relative"
        w="full"
        minH="8.5rem"
        p="4"
        gap="4"
        align="center"
        borderWidth="2px"
        borderStyle={file ? 'solid' : 'dashed'}
        borderColor={problem ? 'border.error' : over ? 'brand.solid' : 'border.emphasized'}
        bg={over ? 'brand.subtle' : 'bg.panel'}
        rounded="l3"
        transition="background 0.15s, border-color 0.15s"
        _hover={{ borderColor: 'brand.solid' }}
        _focusWithin={{ outline: '2px solid', outlineColor: 'brand.focusRing', outlineOffset: '2px' }}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {/* The input lies over the whole field: a click anywhere on it opens the picker. */}
        <chakra.input
          ref={input}
          id={id}
          type="file"
          accept={accept}
          disabled={disabled}
          aria-describedby={`${id}-problem ${id}-hint ${id}-state`}
          aria-invalid={problem !== null}
          position="absolute"
          inset="0"
          opacity="0"
          cursor={disabled ? 'default' : 'pointer'}
          fontSize="0"
          onChange={(event) => take(event.target.files)}
        />
        {preview ?? (
          <Box color="brand.fg" p="3" rounded="full" bg="brand.subtle" aria-hidden="true">
            <UploadIcon size={6} />
          </Box>
        )}
        <Box flex="1" minW="0">
          <Box id={`${id}-state`} role="status">
            {reading ? (
              <Text>
                <Spinner size="sm" me="2" />
                Reading {file?.name}…
              </Text>
            ) : (
              <Text fontWeight="semibold" lineClamp={2}>
                {file ? `${file.name} (${sizeOf(file)})` : 'Drop a file here, or click to choose one'}
              </Text>
            )}
          </Box>
          <Text id={`${id}-hint`} color="fg.muted" textStyle="sm">
            {hint}
          </Text>
          {file && !disabled && (
            <Button
              size="xs"
              variant="outline"
              mt="2"
              position="relative"
              aria-label={`Remove ${file.name}`}
              onClick={() => {
                props.onClear()
                input.current?.focus()
              }}
            >
              Remove
            </Button>
          )}
        </Box>
      </Flex>
      <Text id={`${id}-problem`} role="alert" color="fg.error" textStyle="sm">
        {problem}
      </Text>
    </Field.Root>
  )
}

function sizeOf({ size }: File): string {
  if (size < 1024) return `${size} bytes`
  return size < 1 << 20 ? `${Math.round(size / 1024)} KB` : `${(size / (1 << 20)).toFixed(1)} MB`
}
