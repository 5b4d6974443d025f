import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Box, Button, type Elements, Field, FileUpload, Spinner, Text } from '@/ui'
import { formatNumber } from '@/ui/format'
import { UploadIcon } from '@/ui/icons'

interface Props {
  label: ReactNode
  help?: ReactNode
  /** The types of the file picker, such as '.webp'. A dropped file is checked by the caller. */
  accept: string
  file: File | null
  error: string | null
  /** The error is about the file that was just chosen, and is announced. */
  rejected?: boolean
  reading?: boolean
  disabled?: boolean
  preview?: Elements
  onFile: (file: File) => void
  onClear: () => void
}

/** One file, from the file picker or dropped on the field. */
export function FilePicker(props: Props) {
  const { label, help, accept, file, error, rejected, reading = false, disabled = false, preview } = props
  const name = file?.name ?? ''
  const chooseFile = t`Drop a file here, or click to choose one`
  return (
    <Field.Root invalid={error !== null} gap="0">
      <FileUpload.Root
        gap="1.5"
        maxFiles={1}
        acceptedFiles={file ? [file] : []}
        disabled={disabled}
        invalid={error !== null}
        preventDocumentDrop={false}
        translations={{ dropzone: chooseFile }}
        onFileChange={({ acceptedFiles: [chosen] }) => {
          if (chosen && chosen !== file) props.onFile(chosen)
        }}
      >
        <FileUpload.Label>{label}</FileUpload.Label>
        <FileUpload.HiddenInput accept={accept} />
        <FileUpload.Dropzone w="full" minH="8.5rem" p="4" bg="bg.panel" rounded="l3" position="relative">
          {preview ?? (
            <Box color="brand.fg" p="3" rounded="full" bg="brand.subtle" aria-hidden="true">
              <UploadIcon size={6} />
            </Box>
          )}
          <FileUpload.DropzoneContent>
            <Box role="status" fontWeight="semibold" wordBreak="break-word">
              {reading ? (
                <>
                  <Spinner size="sm" me="2" aria-hidden="true" />
                  <Trans>Reading {name}…</Trans>
                </>
              ) : file ? (
                `${name} (${sizeText(file)})`
              ) : (
                chooseFile
              )}
            </Box>
            <Text color="fg.muted">{help}</Text>
          </FileUpload.DropzoneContent>
        </FileUpload.Dropzone>
        {file && !disabled && (
          <Button size="xs" variant="outline" aria-label={t`Remove ${name}`} onClick={props.onClear}>
            <Trans>Remove</Trans>
          </Button>
        )}
      </FileUpload.Root>
      <Field.ErrorText aria-live={rejected ? 'assertive' : 'off'} mt="1.5">
        {error}
      </Field.ErrorText>
    </Field.Root>
  )
}

function sizeText({ size }: File): string {
  if (size < 1024) return plural(size, { one: '# byte', other: '# bytes' })
  const kilobytes = Math.round(size / 1024)
  if (kilobytes < 1024) return t`${formatNumber(kilobytes)} KB`
  const megabytes = i18n.number(size / (1 << 20), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return t`${megabytes} MB`
}
