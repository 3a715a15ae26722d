// SPDX-License-Identifier: Apache-2.0

// Written by Tools/generate-word-lists; do not change this file by hand.
// The beginning of the list female_names of zxcvbn; NOTICE has its licence.

extension WordLists {
    /// Women's names of the census of the United States. The commonest first.
    static let femaleNames = """
        mary patricia linda barbara elizabeth jennifer maria susan margaret dorothy lisa nancy karen betty helen sandra
        donna carol ruth sharon michelle laura sarah kimberly deborah jessica shirley cynthia angela melissa brenda amy
        anna rebecca virginia kathleen pamela martha debra amanda stephanie carolyn christine marie janet catherine
        frances ann joyce diane alice julie heather teresa doris gloria evelyn jean cheryl mildred katherine joan ashley
        judith rose janice kelly nicole judy christina kathy theresa beverly denise tammy irene jane lori rachel marilyn
        andrea kathryn louise sara anne jacqueline wanda bonnie julia ruby lois tina phyllis norma paula diana annie
        lillian emily robin peggy crystal gladys rita dawn connie florence tracy edna tiffany carmen rosa cindy grace
        wendy victoria edith kim sherry sylvia josephine thelma shannon sheila ethel ellen elaine marjorie carrie
        charlotte monica esther pauline emma juanita anita rhonda hazel amber eva debbie april leslie clara lucille
        jamie joanne eleanor valerie danielle megan alicia suzanne michele gail bertha darlene veronica jill erin
        geraldine lauren cathy joann lorraine lynn sally regina erica beatrice dolores bernice audrey yvonne annette
        marion dana stacy ana renee ida vivian roberta holly brittany melanie loretta yolanda jeanette laurie katie
        kristen vanessa alma sue elsie beth jeanne vicki carla tara rosemary eileen terri gertrude lucy tonya ella
        stacey wilma gina kristin jessie natalie agnes vera charlene bessie delores melinda pearl arlene maureen colleen
        allison tamara joy georgia constance lillie claudia jackie marcia tanya nellie minnie marlene heidi glenda lydia
        viola courtney marian stella caroline dora vickie mattie maxine irma mabel marsha myrtle lena christy deanna
        patsy hilda gwendolyn jennie nora margie nina cassandra leah penny kay priscilla naomi carole olga billie dianne
        tracey leona jenny felicia sonia miriam velma becky bobbie violet kristina toni misty mae shelly daisy ramona
        sherri erika katrina claire lindsey lindsay geneva guadalupe belinda margarita sheryl cora faye ada sabrina
        isabel marguerite hattie harriet molly cecilia kristi brandi blanche sandy rosie joanna iris eunice angie inez
        lynda madeline amelia alberta genevieve monique jodi janie kayla sonya jan kristine candace fannie maryann opal
        alison yvette melody luz susie olivia flora shelley kristy mamie lula lola verna beulah antoinette candice juana
        jeannette pam kelli whitney bridget karla celia latoya patty shelia gayle della vicky lynne sheri marianne kara
        jacquelyn erma blanca myra leticia pat krista roxanne angelica robyn adrienne rosalie alexandra brooke bethany
        sadie bernadette traci jody kendra nichole rachael mable ernestine muriel marcella elena krystal angelina nadine
        kari estelle dianna paulette lora mona doreen rosemarie desiree antonia janis betsy christie freda meredith
        lynette teri cristina eula leigh meghan sophia eloise rochelle gretchen cecelia raquel henrietta alyssa jana
        gwen jenna tricia laverne olive tasha silvia elvira delia kate patti lorena kellie sonja lila lana darla mindy
        essie mandy lorene elsa josefina jeannie miranda dixie lucia marta faith lela johanna shari camille tami shawna
        elisa ebony melba ora nettie tabitha ollie winifred kristie alisha aimee rena myrna marla tammie latasha bonita
        patrice ronda sherrie addie francine deloris stacie adriana cheri abigail celeste jewel cara adele rebekah
        lucinda dorthy effie trina reba sallie aurora lenora etta lottie kerri trisha nikki estella francisca josie
        tracie marissa karin brittney janelle lourdes laurel helene fern elva corinne kelsey ina bettie elisabeth aida
        caitlin ingrid iva eugenia christa goldie maude jenifer therese dena lorna janette latonya candy consuelo tamika
        rosetta debora cherie polly dina jewell fay jillian dorothea nell trudy esperanza patrica kimberley shanna
        helena cleo stefanie rosario ola janine mollie lupe alisa lou maribel susanne bette susana elise cecile isabelle
        lesley jocelyn paige joni rachelle leola daphne alta ester petra graciela imogene jolene keisha lacey glenna
        gabriela keri ursula lizzie kirsten shana adeline mayra jayne jaclyn gracie sondra carmela marisa rosalind
        charity tonia beatriz marisol clarice jeanine sheena angeline frieda lily shauna millie claudette cathleen
        angelia gabrielle autumn katharine jodie staci lea christi justine elma luella margret dominique socorro martina
        margo mavis callie bobbi maritza lucile leanne jeannine deana aileen lorie ladonna willa manuela gale selma
        dolly sybil abby ivy dee winnie marcy luisa jeri magdalena ofelia meagan audra matilda leila cornelia bianca
        simone bettye randi virgie latisha barbra georgina eliza leann bridgette rhoda haley adela nola bernadine
        flossie ila greta ruthie nelda minerva lilly terrie letha hilary estela valarie brianna rosalyn earline catalina
        ava mia clarissa lidia corrine alexandria concepcion tia sharron rae dona ericka jami elnora chandra lenore neva
        marylou melisa tabatha serena avis allie sofia jeanie odessa nannie harriett loraine penelope milagros emilia
        benita allyson ashlee tania esmeralda eve pearlie zelma malinda noreen tameka saundra hillary amie althea
        rosalinda lilia alana clare alejandra elinor lorrie jerri darcy earnestine carmella noemi marcie liza annabelle
        louisa earlene mallory carlene nita selena tanisha katy julianne lakisha edwina maricela margery kenya dollie
        roxie roslyn kathrine nanette charmaine lavonne ilene tammi suzette corine kaye chrystal lina deanne lilian
        juliana aline luann kasey maryanne evangeline colette melva lawanda yesenia nadia madge kathie ophelia valeria
        nona mitzi mari georgette claudine fran alissa roseann lakeisha susanna reva deidre chasity sheree elvia alyce
        deirdre gena briana araceli katelyn rosanne wendi tessa berta marva imelda marietta marci leonor arline sasha
        madelyn janna juliette deena aurelia josefa augusta liliana lessie amalia savannah anastasia vilma natalia
        rosella lynnette corina alfreda leanna amparo coleen tamra aisha wilda karyn maura mai evangelina rosanna hallie
        erna enid mariana lacy juliet jacklyn freida madeleine mara cathryn lelia casandra bridgett angelita jannie
        dionne annmarie katina beryl millicent katheryn diann carissa maryellen liz lauri helga gilda rhea marquita
        hollie tisha tamera angelique francesca kaitlin lolita florine rowena reyna twila fanny janell ines concetta
        bertie alba brigitte alyson vonda pansy elba noelle letitia deann brandie louella leta felecia sharlene lesa
        beverley isabella herminia terra celina tori octavia jade denice germaine michell cortney nelly doretha deidra
        monika lashonda judi chelsey antionette margot adelaide leeann elisha dessie libby kathi gayla latanya mina
        mellisa kimberlee jasmin renae zelda elda justina gussie emilie camilla abbie rocio kaitlyn edythe ashleigh
        selina lakesha geri allene pamala michaela dayna caryn rosalia jacquline rebeca marybeth krystle iola dottie
        belle griselda ernestina elida adrianne demetria delma jaqueline arleen virgina retha fatima tillie eleanore
        cari treva wilhelmina rosalee maurine latrice jena taryn elia debby maudie jeanna delilah catrina shonda
        hortencia theodora teresita robbin danette delphine brianne nilda danna cindi bess iona winona vida rosita
        marianna racheal guillermina eloisa celestine caren malissa lona chantel shellie marisela leora agatha soledad
        migdalia ivette christen athena janel veda pattie tessie tera marilynn lucretia karrie dinah daniela alecia
        adelina vernice shiela portia merry lashawn dara tawana verda alene zella sandi rafaela maya kira candida alvina
        suzan shayla lettie samatha oralia matilde larissa vesta renita delois shanda phillis lorri erlinda cathrine
        barb isabell ione gisela roxanna mayme kisha ellie mellissa dorris dalia bella annetta zoila reta reina lauretta
        kylie christal pilar charla elissa tiffani tana paulina leota breanna jayme carmel vernell tomasa mandi dominga
        santa melodie lura alexa tamela mirna kerrie venus felicita cristy carmelita berniece annemarie tiara roseanne
        missy cori roxana pricilla kristal jung elyse haydee aletha bettina marge gillian filomena zenaida harriette
        caridad vada aretha pearline marjory marcela flor evette elouise alina damaris catharine belva nakia marlena
        luanne lorine karon dorene danita brenna tatiana louann julianna andria philomena lucila leonora dovie romona
        mimi jacquelin gaye tonja misti chastity stacia roxann micaela velda marlys johnna aura ivonne hayley nicki
        majorie herlinda yadira perla gregoria antonette shelli mozelle mariah joelle cordelia josette chiquita trista
        laquita georgiana candi shanon hildegard stephany magda karol gabriella tiana roma richelle oleta jacque idella
        alaina suzanna jovita tosha nereida marlyn kyla delfina tena stephenie sabina nathalie marcelle gertie darleen
        thea sharonda shantel belen venessa rosalina genoveva clementine rosalba renate renata georgianna floy dorcas
        ariana tyra theda mariam juli jesica vikki verla roselyn melvina jannette ginny debrah corrie violeta myrtis
        latricia collette charleen anissa viviana twyla nedra latonia hellen fabiola annamarie adell sharyn chantal niki
        maud lizette lindy kesha jeana danelle charline chanel valorie dortha cristal sunny leone leilani gerri debi
        andra keshia eulalia easter dulce natividad linnie kami georgie catina brook alda winnifred sharla ruthann
        meaghan magdalene lissette adelaida venita trena shirlene shameka elizebeth dian shanta latosha carlotta windy
        rosina mariann leisa jonnie dawna cathie astrid laureen janeen holli fawn vickey teressa shante rubye marcelina
        chanda terese scarlett marnie lulu lisette jeniffer elenor dorinda donita carman bernita altagracia aleta
        adrianna zoraida lyndsey janina starla phylis phuong kyra charisse blanch sanjuanita rona nanci marilee maranda
        brigette sanjuana marita kassandra joycelyn felipa chelsie bonny mireya lorenza kyong ileana candelaria sherie
        lucie leatrice lakeshia gerda edie bambi marylin lavon hortense garnet evie tressa shayna lavina kyung jeanetta
        sherrill shara phyliss mittie anabel alesia thuy tawanda joanie tiffanie lashanda karissa enriqueta daria
        daniella corinna alanna abbey roxane roseanna magnolia lida joellen coral carleen tresa peggie novella nila
        maybelle jenelle carina nova melina marquerite margarette josephina evonne cinthia albina toya tawnya sherita
        myriam lizabeth lise keely jenni giselle cheryle ardith ardis alesha adriane shaina linnea karolyn felisha dori
        darci artie armida zola xiomara vergie shamika nena nannette maxie lovie jeane jaimie inge farrah elaina caitlyn
        felicitas cherly caryl yolonda yasmin teena prudence pennie nydia mackenzie orpha marvel lizbeth laurette jerrie
        hermelinda carolee tierra mirian meta melony kori jennette jamila yoshiko susannah salina rhiannon joleen
        cristine ashton aracely tomeka shalonda marti lacie kala jada ilse hailey brittani zona syble sherryl nidia
        marlo kandice kandi alycia ronna norene mercy ingeborg giovanna gemma christel audry zora vita trish stephaine
        shirlee shanika melonie mazie jazmin inga hettie geralyn fonda estrella adella sarita rina milissa maribeth
        golda evon ethelyn enedina cherise chana velva tawanna sade mirta karie jacinta elna davina cierra ashlie
        albertha tanesha nelle mindi lorinda larue florene demetra dedra ciara chantelle ashly suzy rosalva noelia lyda
        leatha krystyna kristan karri darline darcie cinda cherrie awilda almeda rolanda lanette jerilyn gisele evalyn
        cyndi cleta carin zina zena velia tanika charissa talia margarete lavonda kaylee kathlene jonna irena ilona
        idalia candis candance brandee anitra alida sigrid nicolette maryjo linette hedwig christiana alexia tressie
        modesta lupita lita gladis evelia davida cherri cecily ashely annabel agustina wanita shirly rosaura hulda yetta
        verona thomasina sibyl shannan mechelle leandra lani kylee kandy jolynn ferne eboni corene alysia zula nada
        moira lyndsay lorretta jammie hortensia gaynell adria vina vicenta tangela stephine norine nella liana leslee
        kimberely iliana glory felica emogene elfriede eden eartha carma ocie lennie kiara jacalyn carlota arielle
        otilia kirstin kacey johnetta joetta jeraldine jaunita elana dorthea cami amada adelia vernita tamar siobhan
        renea rashida ouida nilsa meryl kristyn julieta danica breanne aurea anglea sherron odette malia lorelei leesa
        kenna kathlyn fiona charlette suzie shantell sabra racquel myong mira martine lucienne lavada juliann elvera
        delphia christiane charolette carri asha angella paola ninfa leda stefani shanell palma machelle lissa kecia
        kathryne karlene julissa jettie jenniffer corrina carolann alena rosaria myrtice marylee liane kenyatta judie
        janey elmira eldora denna cristi cathi zaida vonnie viva vernie rosaline mariela luciana lesli karan felice
        deneen adina wynona tarsha sheron shanita shani shandra randa pinkie nelida marilou lyla laurene laci janene
        dorotha daniele dani carolynn carlyn berenice ayesha anneliese alethea thersa tamiko rufina oliva mozell marylyn
        kristian kathyrn kasandra kandace janae domenica debbra dannielle chun arcelia zenobia sharen sharee lavinia
        kacie jackeline huong felisa emelia eleanora cythia cristin claribel anastacia zulma zandra yoko tenisha susann
        sherilyn shay shawanda romana mathilda linsey keiko joana isela gretta georgetta eugenie desirae delora corazon
        antonina anika willene tracee tamatha nichelle mickie maegan luana lanita kelsie edelmira bree afton teodora
        tamie shena linh keli kaci danyelle arlette albertine adelle tiffiny simona nicolasa nichol nakisha maira loreen
        kizzy fallon christene bobbye ying vincenza tanja rubie roni queenie margarett kimberli irmgard idell hilma
        evelina esta emilee dennise dania carie risa rikki particia masako luvenia loree loni lien gigi florencia denita
        billye tomika sharita rana nikole neoma margarite madalyn lucina laila kali jenette gabriele evelyne elenora
        clementina alejandrina zulema violette vannessa thresa retta patience noella nickie jonell chaya camelia bethel
        anya suzann mila lilla laverna keesha kattie georgene eveline estell elizbeth vivienne vallie trudie stephane
        magaly madie kenyetta karren janetta hermine drucilla debbi celestina candie britni beckie amina zita yolande
        vivien vernetta trudi pearle patrina ossie nicolle loyce letty katharina joselyn jonelle jenell iesha heide
        florinda florentina elodia dorine brunilda brigid ashli ardella twana tarah shavon serina rayna ramonita
        margurite lucrecia kourtney kati jesenia crista ayana alica alia vinnie suellen romelia rachell olympia michiko
        kathaleen jolie jessi janessa hana elease carletta britany shona salome rosamond regena raina ngoc nelia
        louvenia lesia latrina laticia larhonda jina jacki emmy deeann coretta arnetta thalia shanice neta mikki micki
        lonna leana lashunda kiley joye jacqulyn ignacia hyun hiroko henriette elayne delinda dahlia coreen consuela
        conchita babette ayanna anette albertina shawnee shaneka quiana pamelia merri merlene margit kiesha kiera
        kaylene jodee jenise erlene emmie dalila daisey casie belia babara versie vanesa shelba shawnda nikia naoma
        marna margeret madaline lawana kindra jutta jazmine janett hannelore glendora gertrud garnett freeda frederica
        florance flavia carline beverlee anjanette valda tamala shonna sarina oneida merilyn marleen lurline lenna
        katherin jeni gracia glady farah enola dominque devona delana cecila caprice alysha alethia vena theresia tawny
        shakira samara sachiko rachele pamella marni mariel maren malisa ligia lera latoria larae kimber kathern karey
        jennefer janeth halina fredia delisa debroah ciera angelika andree altha vivan terresa tanna sudie signe salena
        ronni rebbecca myrtie malika maida leonarda kayleigh ethyl ellyn dayle cammie brittni birgit avelina asuncion
        arianna akiko venice tyesha tonie tiesha takisha steffanie sindy meghann manda macie kellye kellee joslyn inger
        indira glinda glennis fernanda faustina eneida elicia digna dell arletta willia tammara tabetha sherrell sari
        rebbeca pauletta natosha nakita mammie kenisha kazuko kassie earlean daphine corliss clotilde carolyne bernetta
        augustina audrea annis annabell tennille tamica selene rosana regenia qiana markita macy leeanne laurine
        jessenia janita georgine genie emiko elvie deandra dagmar corie collen cherish romaine porsha pearlene micheline
        merna margorie margaretta lore jenine hermina fredericka elke drusilla dorathy dione celena brigida allegra
        tamekia synthia sook slyvia rosann reatha raye marquetta margart ling layla kymberly kiana kayleen katlyn karmen
        joella emelda eleni detra clemmie cheryll chantell cathey arnita arla angle angelic alyse zofia thomasine tennie
        sherly sherley sharyl remedios petrina nickole myung myrle mozella louanne lisha latia krysta julienne jeanene
        jacqualine isaura gwenda earleen cleopatra carlie audie antonietta alise verdell tomoko thao talisha shemika
        savanna santina rosia raeann odilia nana minna magan lynelle karma joeann ivana inell ilana gudrun dreama crissy
        chante carmelina arvilla annamae alvera aleida yanira vanda tianna stefania shira nicol nancie monserrate
        melynda melany lovella laure kacy jacquelynn hyon gertha eliana christena christeen charise caterina carley
        candyce arlena ammie willette vanita tuyet syreeta penney nyla maryam marya magen ludie loma livia lanell
        kimberlie julee donetta diedra denisha deane dawne clarine cherryl bronwyn alla valery tonda sueann soraya
        shoshana shela sharleen shanelle nerissa meridith mellie maye maple magaret lili leonila leonie leeanna lavonia
        lavera kristel kathey kathe jann ilda hildred hildegarde genia fumiko evelin ermelinda elly dung doloris dionna
        danae berneice annice alix verena verdie shawnna shawana shaunna rozella randee ranae milagro lynell luise loida
        lisbeth karleen junita jona isis hyacinth hedy gwenn ethelene erline donya domonique delicia dannette cicely
        branda blythe bethann ashlyn annalee alline yuko vella trang towanda tesha sherlyn narcisa miguelina meri
        maybell marlana marguerita madlyn lory loriann leonore leighann laurice latesha laronda katrice kasie kaley
        jadwiga glennie gearldine francina epifania dyan dorie diedre denese demetrice delena cristie cleora catarina
        carisa barbera almeta trula tereasa solange sheilah shavonne sanora rochell mathilde margareta maia lynsey
        lawanna launa kena keena katia glynda gaylene elvina elanor danuta danika cristen cordie coletta clarita carmon
        brynn azucena aundrea angele verlie verlene tamesha silvana sebrina samira reda raylene penni norah noma
        mireille melissia maryalice laraine kimbery karyl karine jolanda johana jesusa jaleesa jacquelyne iluminada
        hilaria hanh gennie francie floretta exie edda drema delpha barbar assunta ardell annalisa alisia yukiko yolando
        wonda waltraud veta temeka tameika shirleen shenita piedad ozella mirtha marilu kimiko juliane jenice janay
        jacquiline hilde elois echo devorah chau brinda betsey arminda aracelis apryl annett alishia veola usha toshiko
        theola tashia talitha shery renetta reiko rasheeda obdulia mika melaine meggan marlen marget marceline mana
        magdalen librada lezlie latashia lasandra kelle isidra inocencia gwyn francoise erminia erinn dimple devora
        criselda armanda arie ariane angelena aliza adriene adaline xochitl twanna tomiko tamisha taisha susy rutha
        rhona noriko natashia merrie marinda mariko margert loris lizzette leisha kaila joannie jerrica jene jannet
        janee jacinda herta elenore doretta delaine daniell claudie britta apolonia amberly alease yuri waneta tomi
        sharri sandie roselle reynalda raguel phylicia patria olimpia odelia mitzie minda mignon mica mendy marivel
        maile lynetta lavette lauryn latrisha lakiesha kiersten kary josphine jolyn jetta janise jacquie ivelisse glynis
        gianna gaynelle danyell danille dacia coralee cher ceola arianne aleshia yung williemae trinh thora sherika
        shemeka shaunda roseline ricki melda mallie lavonna latina laquanda lala lachelle klara kandis johna jeanmarie
        jaye grayce gertude emerita ebonie clorinda ching chery carola breann blossom bernardine becki arletha argelia
        alita yulanda yessenia tobi tasia sylvie shirl shirely shella shantelle sacha rebecka providencia paulene misha
        miki marline marica lorita latoyia lasonya kerstin kenda keitha kathrin jaymie gricelda ginette eryn elina
        elfrieda danyel cheree chanelle barrie aurore annamaria alleen ailene aide yasmine vashti treasa tiffaney
        sheryll sharie shanae raisa neda mitsuko mirella milda maryanna maragret mabelle luetta lorina letisha latarsha
        lanelle lajuana krissy karly karena jessika jerica jeanelle jalisa jacelyn izola euna etha domitila dominica
        daina creola carli camie brittny ashanti anisha aleen adah yasuko valrie tona tinisha terisa taneka simonne
        shalanda serita ressie refugia olene margherita mandie maire lyndia luci lorriane loreta leonia lavona lashawnda
        lakia kyoko krystina krysten kenia kelsi jeanice isobel georgiann genny felicidad eilene deloise deedee
        conception clora cherilyn calandra armandina anisa tiera theressa stephania sima shyla shonta shera shaquita
        shala rossana nohemi nery moriah melita melida melani marylynn marisha mariette malorie madelene ludivina loria
        lorette loralee lianne lavenia laurinda lashon kimi keila katelynn jone joane jayna janella hertha francene
        elinore despina delsie deedra clemencia carolin bulah brittanie blondell bibi beaulah beata annita agripina
        virgen valene twanda tommye tarra tari tammera shakia sadye ruthanne rochel rivka pura nenita natisha ming
        merrilee melodee marvis lucilla leena laveta larita lanie keren ileen georgeann genna frida eufemia emely edyth
        deonna deadra darlena chanell cathern cassondra cassaundra bernarda berna arlinda anamaria vertie valeri torri
        stasia sherise sherill sanda ruthe rosy robbi ranee quyen pearly palmira onita nisha niesha nida merlyn mayola
        marylouise marth margene madelaine londa leontine leoma leia lauralee lanora lakita kiyoko keturah katelin
        kareen jonie johnette jenee jeanett izetta hiedi heike hassie giuseppina georgann fidela fernande elwanda
        ellamae eliz dusti dotty cyndy coralie celesta alverta xenia wava vanetta torrie tashina tandy tambra tama
        stepanie shila shaunta sharan shaniqua shae setsuko serafina sandee rosamaria priscila olinda nadene muoi
        michelina mercedez maryrose marcene magali mafalda lannie kayce karoline kamilah kamala justa joline jennine
        jacquetta iraida georgeanna franchesca emeline elane ehtel earlie dulcie dalene classie chere charis caroyln
        carmina carita bethanie ayako arica alysa alessandra akilah adrien zetta youlanda yelena yahaira xuan wendolyn
        tijuana terina teresia suzi sherell shavonda shaunte sharda shakita sena ryann rubi riva reginia rachal
        parthenia pamula monnie monet michaele melia malka maisha lisandra lekisha lean lakendra krystin kortney kizzie
        kittie kera kendal kemberly kanisha julene jule johanne jamee halley gidget fredricka fleta fatimah eusebia elza
        eleonore dorthey doria donella dinorah delorse claretha christinia charlyn bong belkis azzie andera aiko adena
        yajaira vania ulrike toshia tifany stefany shizue shenika shawanna sharolyn sharilyn shaquana shantay rozanne
        roselee remona reanna raelene phung petronila natacha nancey myrl miyoko miesha merideth marvella marquitta
        marhta marchelle lizeth libbie lahoma ladawn kina katheleen katharyn karisa kaleigh junie julieann johnsie
        janean jaimee jackqueline hisako herma helaine gwyneth gita eustolia emelina elin edris donnette donnetta
        dierdre denae darcel clarisa cinderella chia charlesetta charita celsa cassy cassi carlee bruna brittaney brande
        billi antonetta angla angelyn analisa alane wenona wendie veronique vannesa tobie tempie sumiko sulema somer
        sheba sharice shanel shalon rosio roselia renay rema reena ozie oretha oralee ngan nakesha milly marybelle
        margrett maragaret manie lurlene lillia lieselotte lavelle lashaunda lakeesha kaycee kalyn joya joette jenae
        janiece illa grisel glayds genevie gala fredda eleonor debera deandrea corrinne cordia contessa colene cleotilde
        chantay cecille beatris azalee arlean ardath anjelica anja alfredia aleisha zada yuonne xiao willodean vennie
        vanna tyisha tova torie tonisha tilda tien sirena sherril shanti shan senaida samella robbyn renda reita phebe
        paulita nobuko nguyet neomi mikaela melania maximina marg maisie lynna lilli lashaun lakenya lael kirstie
        kathline kasha karlyn karima jovan josefine jennell jacqui jackelyn hien grazyna florrie floria eleonora dwana
        dorla delmy deja dede dann crysta clelia claris chieko cherlyn cherelle charmain chara cammy arnette ardelle
        annika amiee amee allena yvone yuki yoshie yevette yael willetta voncile venetta tula tonette timika temika
        telma teisha taren stacee shawnta saturnina ricarda pasty onie nubia marielle mariella marianela mardell luanna
        loise lisabeth lindsy lilliana lilliam lelah leigha leanora kristeen khalilah keeley kandra junko joaquina
        jerlene jani jamika hsiu hermila genevive evia eugena emmaline elfreda elene donette delcie deeanna darcey
        clarinda cira chae celinda catheryn casimira carmelia camellia breana bobette bernardina bebe basilia arlyne
        amal alayna zonia zenia yuriko yaeko wynell willena vernia tora terrilyn terica tenesha tawna tajuana taina
        stephnie sona sina shondra shizuko sherlene sherice sharika rossie rosena rima rheba renna natalya nancee melodi
        meda matha marketta maricruz marcelene malvina luba louetta leida lecia lauran lashawna laine khadijah katerine
        kasi kallie julietta jesusita jestine jessia jeffie janyce isadora georgianne fidelia evita eura eulah estefana
        elsy eladia dodie denisse deloras delila daysi crystle concha claretta charlsie charlena carylon bettyann asley
        ashlea amira agueda agnus yuette vinita victorina tynisha treena toccara tish thomasena tegan soila shenna
        sharmaine shantae shandi saran sarai sana rosette rolande regine otelia olevia nicholle necole naida myrta
        myesha mitsue minta mertie margy mahalia madalene loura lorean lesha leonida lenita lavone lashell lashandra
        lamonica kimbra katherina karry kanesha jong jeneva jaquelyn gilma ghislaine gertrudis fransisca fermina ettie
        etsuko ellan elidia edra dorethea doreatha denyse deetta daine cyrstal corrin cayla carlita camila burma bula
        buena barabara avril alaine zana wilhemina wanetta verline vasiliki tonita tisa teofila tayna taunya tandra
        takako sunni suanne sixta sharell seema rosenda robena raymonde pamila ozell neida mistie micha merissa maurita
        maryln maryetta marcell malena makeda lovetta lourie lorrine lorilee laurena lashay larraine laree lacresha
        kristle keva keira karole joie jinny jeannetta jama heidy gilberte gema faviola evelynn enda elli ellena divina
        dagny collene codi cindie chassidy chasidy catrice catherina cassey caroll carlena candra calista bryanna
        britteny beula bari audrie audria ardelia annelle angila alona allyn
        """
}
