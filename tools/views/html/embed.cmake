# Makes C of the pages' styles and scripts, and of the policy that allows these and nothing else.
# In: -D FOLDER with them and OUTPUT, paths. Out: OUTPUT, each as vkm_html_NAME.

# The SHA-256 of a file in base64, as a Content-Security-Policy names it: CMake knows hex only.
function(base64_sha256 file result)
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  file(SHA256 ${file} digest)
  set(encoded)
  # 32 bytes: ten groups of three and one of two.
  foreach(begin RANGE 0 54 6)
    string(SUBSTRING ${digest} ${begin} 6 group)
    foreach(shift 18 12 6 0)
      math(EXPR index "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING ${alphabet} ${index} 1 letter)
      string(APPEND encoded ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${digest} 60 4 group)
  foreach(shift 10 4)
    math(EXPR index "(0x${group} >> ${shift}) & 63")
    string(SUBSTRING ${alphabet} ${index} 1 letter)
    string(APPEND encoded ${letter})
  endforeach()
  math(EXPR index "(0x${group} << 2) & 63")
  string(SUBSTRING ${alphabet} ${index} 1 letter)
  set(${result} ${encoded}${letter}= PARENT_SCOPE)
endfunction()

function(c_array file name result)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  set(${result} "const char ${name}[] = {\n${bytes}0};\n" PARENT_SCOPE)
endfunction()

set(styles page.css timeline.css)
set(scripts page.js timeline_data.js timeline_draw.js timeline_view.js)
set(arrays)
foreach(kind style script)
  set(${kind}_hashes)
  foreach(file ${${kind}s})
    string(REPLACE . _ name ${file})
    c_array(${FOLDER}/${file} vkm_html_${name} array)
    string(APPEND arrays "${array}")
    base64_sha256(${FOLDER}/${file} hash)
    string(APPEND ${kind}_hashes " 'sha256-${hash}'")
  endforeach()
endforeach()
file(WRITE ${OUTPUT} "#include \"views/html/assets.h\"\n\n${arrays}"
     "const char vkm_html_policy[] = \"default-src 'none'; style-src${style_hashes}; \"\n"
     "                               \"script-src${script_hashes}; base-uri 'none'; \"\n"
     "                               \"form-action 'none'\";\n")
